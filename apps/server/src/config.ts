import { resolve } from 'node:path'
import '@voisol/contract/french'
import { z } from 'zod'
import { HOSTS } from './adapters/enedis/templates.ts'
import { localKey, requireFolder } from './data-folder.ts'
import { StartupError } from './startup-error.ts'

const flag = z.enum(['on', 'off'])
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())
const address = (protocol: RegExp, example: string) =>
  z.url({ protocol, error: `Adresse attendue, par exemple ${example}.` })
const host = (preset: string) =>
  z.preprocess((value) => (value === '' ? undefined : value), address(/^https?$/, preset).default(preset))
/** Twenty-four grams per kWh between commas; nothing where they are not known. */
const hourly = z
  .string()
  .default('')
  .transform((text, ctx) => {
    const hours = text
      .split(',')
      .filter((part) => part.trim())
      .map(Number)
    if (hours.length === 0 || (hours.length === 24 && hours.every((one) => one >= 0 && one <= 2000))) return hours
    ctx.addIssue({ code: 'custom', message: 'Vingt-quatre nombres de grammes par kWh sont attendus, entre virgules.' })
    return z.NEVER
  })

const grams = (preset: number) =>
  z.preprocess(
    (value) => (value === '' ? undefined : value),
    z.coerce.number('Un nombre de grammes par kWh est attendu, par exemple 52.').min(0).max(2000).default(preset),
  )

/** Every variable the server reads; the README's table and .env.example say the same. */
export const Environment = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce.number('Un numéro de port est attendu, par exemple 3000.').int().min(0).max(65535).default(3000),
  PUBLIC_URL: optional(address(/^https?$/, 'https://energie.exemple.fr')),
  ROLE: z.enum(['web', 'worker', 'all']).default('all'),
  WEB: flag.default('on'),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: optional(address(/^postgres(ql)?$/, 'postgres://voisol:secret@localhost/voisol')),
  /** Who owns the tables, for migrations alone; DATABASE_URL is then a role that owns none of them. */
  DATABASE_OWNER_URL: optional(address(/^postgres(ql)?$/, 'postgres://voisol_owner:secret@localhost/voisol')),
  /** Whether the tables are spread over machines; looked for where it is not said. */
  DATABASE_ENGINE: optional(z.enum(['postgresql', 'citus'], 'postgresql ou citus est attendu.')),
  DATABASE_POOL: z.coerce.number('Un nombre est attendu, par exemple 12.').int().min(2).max(200).default(12),
  /** What stands before PostgreSQL and shares its connections: `transaction` for PgBouncer in that mode. */
  DATABASE_POOLER: z.enum(['none', 'transaction']).default('none'),
  COMPUTE_THREADS: optional(z.coerce.number('Un nombre est attendu, par exemple 3.').int().min(1).max(64)),
  COMPUTE_MEMORY_MB: z.coerce.number('Un nombre est attendu, par exemple 768.').int().min(64).max(8192).default(768),
  EMBEDDED_DB: optional(z.literal('allow')),
  SECRET_KEY: optional(
    z.string().regex(/^[A-Za-z0-9+/]{43}=$/, '32 octets en base64 attendus (openssl rand -base64 32).'),
  ),
  /** Keys that SECRET_KEY was before, the latest first, separated by commas: what they sealed and signed is still read. */
  SECRET_KEY_PREVIOUS: optional(
    z
      .string()
      .regex(
        /^[A-Za-z0-9+/]{43}=(?:,[A-Za-z0-9+/]{43}=)*$/,
        '32 octets en base64 attendus, ou plusieurs fois 32 entre virgules.',
      ),
  ),
  DEMO: optional(flag),
  SMTP_URL: optional(address(/^smtps?$/, 'smtps://utilisateur:secret@smtp.exemple.fr')),
  MAIL_FROM: z.string().min(3).default('Voisol <ne-pas-repondre@voisol.fr>'),
  /** Who is sent the heads of the audit chains every day, to be kept outside the database. */
  AUDIT_MAIL: optional(z.email('Une adresse e-mail est attendue, par exemple audit@exemple.fr.')),
  SUPPORT_EMAIL: z.email().default('support@voisol.fr'),
  /** Where answers to the mails of the support come back: the name after the @, and where this process listens for them. */
  SUPPORT_MAIL_HOST: optional(
    z
      .string()
      .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i, 'Un nom de domaine est attendu, par exemple reponses.exemple.fr.'),
  ),
  SUPPORT_SMTP_PORT: optional(
    z.coerce.number('Un numéro de port est attendu, par exemple 2525.').int().min(0).max(65535),
  ),
  /** The mail server in front, as it names itself in Authentication-Results: what it states of a sender is believed. */
  SUPPORT_MAIL_AUTHSERV_ID: optional(
    z.string().regex(/^[a-z0-9._-]+$/i, 'Un nom de serveur est attendu, par exemple mx.exemple.fr.'),
  ),
  SUPPORT_SMTP_HOST: z.string().min(1).default('127.0.0.1'),
  /** Hours between the proof of a company's own host and the first message whose links lead there. */
  BRAND_LINK_DELAY_HOURS: z.coerce
    .number('Un nombre d’heures est attendu, par exemple 72.')
    .int()
    .min(0)
    .max(8760, 'Au plus 8760 heures, un an.')
    .default(72),
  FILES_S3_ENDPOINT: optional(address(/^https?$/, 'https://s3.exemple.fr')),
  FILES_S3_BUCKET: optional(z.string().min(1)),
  FILES_S3_REGION: z.string().default('eu-west-3'),
  FILES_S3_KEY_ID: optional(z.string().min(1)),
  FILES_S3_SECRET: optional(z.string().min(1)),
  /** What copies of the installation are encrypted with: 32 bytes in base64, or a long sentence. It is in no copy. */
  BACKUP_KEY: optional(
    z
      .string()
      .min(16, '32 octets en base64 attendus (openssl rand -base64 32), ou une phrase d’au moins 16 caractères.'),
  ),
  /** Where copies are kept: a folder, or a bucket of their own. */
  BACKUP_FOLDER: z.string().default(''),
  BACKUP_S3_ENDPOINT: optional(address(/^https?$/, 'https://s3.exemple.fr')),
  BACKUP_S3_BUCKET: optional(z.string().min(1)),
  BACKUP_S3_REGION: z.string().default('eu-west-3'),
  BACKUP_S3_KEY_ID: optional(z.string().min(1)),
  BACKUP_S3_SECRET: optional(z.string().min(1)),
  TRUST_PROXY: z.string().default(''),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
  /** How long /readyz says that the server leaves while all is still served. */
  DRAIN_MS: z.coerce
    .number('Un nombre de millisecondes est attendu, par exemple 1000.')
    .int()
    .min(0)
    .max(15_000, 'Au plus 15000\u00a0: l’arrêt tient en trente secondes.')
    .default(1000),
  /** A statement that takes the database longer is written to the log, with who asked; 0 for none. */
  SLOW_QUERY_MS: z.coerce
    .number('Un nombre de millisecondes est attendu, par exemple 1000.')
    .int()
    .min(0)
    .default(1000),
  /** Where traces and metrics are told, in OTLP over HTTP; nowhere unless it is given. Names are those of OpenTelemetry. */
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(address(/^https?$/, 'http://127.0.0.1:4318')),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^(?:[\w-]+=[^,=]+(?:,|$))*$/, 'Des en-têtes sont attendus, par exemple x-cle=secret,x-autre=valeur.')
    .default(''),
  OTEL_SERVICE_NAME: z.string().min(1).default('voisol'),
  /** The share of traces that is kept. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('Une part entre 0 et 1 est attendue, par exemple 0.1.')
    .min(0)
    .max(1)
    .default(1),
  METRICS_TOKEN: optional(z.string().min(16)),
  ANALYTICS_ID: optional(
    z.string().regex(/^[A-Z0-9-]{4,30}$/, 'Identifiant de mesure attendu, par exemple G-ABCD1234.'),
  ),
  ANALYTICS_URL: optional(z.url({ protocol: /^https?$/ })),
  /** Ports beside 80 and 443 that webhooks may be sent to, separated by commas. */
  WEBHOOK_PORTS: z
    .string()
    .regex(/^(?:\d{1,5}(?:\s*,\s*\d{1,5})*)?$/, 'Ports attendus, par exemple 8443,9443.')
    .default(''),
  /** Where the distributor is: these and nothing a person enters decide which machine is called. */
  ENEDIS_SANDBOX_URL: optional(address(/^https?$/, 'http://127.0.0.1:4010')),
  ENEDIS_SANDBOX_HOST: host(HOSTS.sandbox),
  ENEDIS_PRODUCTION_HOST: host(HOSTS.production),
  ENEDIS_QUOTAS: flag.default('on'),
  /** Folders below which files of the distributor may be fetched, separated by commas. */
  ENEDIS_FOLDERS: z.string().default(''),
  /** Folder in which invoices are left for an approved platform, and from which its answers are read. */
  INVOICE_PLATFORM_FOLDER: z.string().default(''),
  /** Folder in which statements of banks are left, by company. */
  BANK_FOLDER: z.string().default(''),
  /** Whether companies subscribe to plans here; where they do not, nothing is limited. The demo on one's own machine shows it. */
  SUBSCRIPTIONS: optional(flag),
  /** Where the provider of online payments is, and its stand-in where it does not start with the demo. */
  STRIPE_HOST: host('https://api.stripe.com'),
  PAYMENT_SANDBOX_URL: optional(address(/^https?$/, 'http://127.0.0.1:4020')),
  /** The weather stand-in, where it does not start with the demo. */
  WEATHER_SANDBOX_URL: optional(address(/^https?$/, 'http://127.0.0.1:4030')),
  /** Grams of CO₂ per kWh of the grid and of the sun, and who says so: shown beside every figure made of them. */
  CO2_GRID_GRAMS: grams(52),
  CO2_SOLAR_GRAMS: grams(43.9),
  /** The same of the grid hour by hour of the day, where it is known: twenty-four numbers, the first from midnight. */
  CO2_GRID_HOURLY: hourly,
  CO2_SOURCE: z.string().min(1).default('ADEME, Base Empreinte (mix moyen 2022)\u00a0; PV\u00a0: ADEME'),
})
type Environment = z.output<typeof Environment>
type Source = Record<string, string | undefined>

export type Config = Environment & {
  production: boolean
  demo: boolean
  /** Whether companies have plans: their trial ends, their points are counted. */
  subscriptions: boolean
  dataDir: string
  secretKey: Buffer
  /** What it was before, the latest first. */
  formerKeys: Buffer[]
  /** In production there is one where the operator gave it. */
  backupKey: string | undefined
}

/** The key the documentation shows: 32 bytes that everybody knows. */
export const EXAMPLE_SECRET = 'dm9pc29sLWV4YW1wbGUta2V5LWRvLW5vdC11c2UtMzI='
const isGuessable = (key: string) => key === EXAMPLE_SECRET || new Set(Buffer.from(key, 'base64')).size < 8

/** What production requires beyond valid values. */
function productionFaults(env: Partial<Environment>, bad: Set<string>): string[] {
  if (env.NODE_ENV !== 'production') return []
  const faults: string[] = []
  const require = (name: keyof Environment, message: string, given: unknown = env[name]) => {
    if (!given && !bad.has(name)) faults.push(`${name}\u00a0: ${message}`)
  }
  require('SECRET_KEY', 'obligatoire en production (openssl rand -base64 32).')
  if (env.SECRET_KEY && isGuessable(env.SECRET_KEY))
    faults.push('SECRET_KEY\u00a0: cette clé est connue ou devinable, elle est interdite en production.')
  require('DATABASE_URL', 'obligatoire en production, ou EMBEDDED_DB=allow pour la base embarquée.', env.DATABASE_URL ??
    env.EMBEDDED_DB)
  require('PUBLIC_URL', 'obligatoire en production, par exemple https://energie.exemple.fr.')
  require('SMTP_URL', 'obligatoire en production, par exemple smtps://utilisateur:secret@smtp.exemple.fr.')
  if (env.DEMO === 'on') faults.push('DEMO\u00a0: les données de démonstration sont interdites en production.')
  return faults
}

function pairFaults(env: Partial<Environment>): string[] {
  const faults: string[] = []
  for (const use of ['FILES', 'BACKUP'] as const) {
    const s3 = (['ENDPOINT', 'BUCKET', 'KEY_ID', 'SECRET'] as const).map((part) => env[`${use}_S3_${part}`])
    const given = s3.filter(Boolean).length
    if (given !== 0 && given !== s3.length)
      faults.push(`${use}_S3_*\u00a0: ENDPOINT, BUCKET, KEY_ID et SECRET se donnent ensemble.`)
  }
  if (Boolean(env.ANALYTICS_ID) !== Boolean(env.ANALYTICS_URL))
    faults.push('ANALYTICS_*\u00a0: ID et URL se donnent ensemble.')
  if ((env.SUPPORT_SMTP_PORT === undefined) !== !env.SUPPORT_MAIL_HOST)
    faults.push('SUPPORT_*\u00a0: SUPPORT_MAIL_HOST et SUPPORT_SMTP_PORT se donnent ensemble.')
  if (env.SECRET_KEY_PREVIOUS?.split(',').includes(env.SECRET_KEY ?? ''))
    faults.push(
      'SECRET_KEY_PREVIOUS\u00a0: la clé d’aujourd’hui n’est pas une clé d’avant. Donnez la nouvelle dans SECRET_KEY.',
    )
  if (env.DATABASE_OWNER_URL && !env.DATABASE_URL) faults.push('DATABASE_OWNER_URL\u00a0: se donne avec DATABASE_URL.')
  return faults
}

/** Each variable on its own, so that one bad value does not hide what else is wrong. */
function read(source: Source) {
  const faults: string[] = []
  const bad = new Set<string>()
  const values: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries<z.ZodType>(Environment.shape)) {
    const result = schema.safeParse(source[name])
    if (result.success) values[name] = result.data
    else {
      bad.add(name)
      faults.push(`${name}\u00a0: ${result.error.issues[0]?.message}`)
    }
  }
  const env = values as Partial<Environment> // each value comes from its own schema
  faults.push(...productionFaults(env, bad), ...pairFaults(env))
  return { env, faults }
}

export function loadConfig(source: Source): Config {
  const { env: partial, faults } = read(source)
  if (faults.length)
    throw new StartupError(`Configuration refusée :\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
  const env = partial as Environment // without a fault every variable was read
  const dataDir = resolve(env.DATA_DIR)
  requireFolder(dataDir)
  const production = env.NODE_ENV === 'production'
  return {
    ...env,
    production,
    demo: !production && env.DEMO !== 'off',
    subscriptions: env.SUBSCRIPTIONS
      ? env.SUBSCRIPTIONS === 'on'
      : env.NODE_ENV === 'development' && env.DEMO !== 'off',
    dataDir,
    secretKey: env.SECRET_KEY ? Buffer.from(env.SECRET_KEY, 'base64') : localKey(dataDir, 'secret'),
    formerKeys: (env.SECRET_KEY_PREVIOUS?.split(',') ?? []).map((key) => Buffer.from(key, 'base64')),
    backupKey: env.BACKUP_KEY ?? (production ? undefined : localKey(dataDir, 'backup').toString('base64')),
  }
}
