import { resolve } from 'node:path'
import '@voisol/contract/validation-messages'
import { z } from 'zod'
import { loadOrCreateLocalKey, requireDataFolder } from './data-folder.ts'
import { ENEDIS_HOSTS } from './integrations/enedis/call-templates.ts'
import { StartupError } from './startup.ts'

const flag = z.enum(['on', 'off'])
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())
const address = (protocol: RegExp, example: string) =>
  z.url({ protocol, error: `Adresse attendue, par exemple ${example}.` })
const host = (preset: string) =>
  z.preprocess((value) => (value === '' ? undefined : value), address(/^https?$/, preset).default(preset))
/** Twenty-four grams per kWh between commas; nothing where they are not known. */
const hourlyGrams = z
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

/**
 * Every variable the server reads, by section of docs/configuration.md. `npm run docs:configuration` writes that page
 * from the names, the defaults and the descriptions below, which are Markdown with links that start in docs/. `fallback`
 * is shown as the default where the schema itself has none. .env.example shows the same names and defaults.
 */
const serverVariables = {
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development').meta({
    description:
      '`production` refuse les données de démonstration et exige `SECRET_KEY`, `PUBLIC_URL`, `SMTP_URL` et `DATABASE_URL`.',
  }),
  HOST: z.string().min(1).default('127.0.0.1').meta({ description: 'Adresse d’écoute.' }),
  PORT: z.coerce
    .number('Un numéro de port est attendu, par exemple 3000.')
    .int()
    .min(0)
    .max(65535)
    .default(3000)
    .meta({ description: 'Port d’écoute.' }),
  PUBLIC_URL: optional(address(/^https?$/, 'https://energie.exemple.fr')).meta({
    fallback: 'déduite de la requête',
    description: 'Adresse publique, pour les liens des messages et l’origine admise. Obligatoire en production.',
  }),
  ROLE: z.enum(['web', 'worker', 'all']).default('all').meta({
    description: '`web` sert les requêtes, `worker` exécute les tâches, `all` fait les deux.',
  }),
  WEB: flag.default('on').meta({ description: '`off` ne sert que l’API, sans les pages.' }),
  TRUST_PROXY: z.string().default('').meta({
    description:
      'Adresses des relais dont `X-Forwarded-For` est cru, séparées par des virgules (adresses, réseaux ou `loopback`). À donner dès qu’un relais reçoit les visiteurs, sinon tous semblent venir de lui.',
  }),
  DRAIN_MS: z.coerce
    .number('Un nombre de millisecondes est attendu, par exemple 1000.')
    .int()
    .min(0)
    .max(15_000, 'Au plus 15000\u00a0: l’arrêt tient en trente secondes.')
    .default(1000)
    .meta({
      description:
        'À l’arrêt (`SIGTERM`), durée en millisecondes pendant laquelle `/readyz` répond 503 et tout est encore servi\u00a0: au moins le temps que met votre répartiteur à le lire, 15\u00a0000 au plus.',
    }),
  COMPUTE_THREADS: optional(z.coerce.number('Un nombre est attendu, par exemple 3.').int().min(1).max(64)).meta({
    fallback: 'cœurs moins un, deux au moins',
    description: 'Nombre de fils de calcul au plus (autant pour les demandes que pour les fichiers).',
  }),
  COMPUTE_MEMORY_MB: z.coerce
    .number('Un nombre est attendu, par exemple 768.')
    .int()
    .min(64)
    .max(8192)
    .default(768)
    .meta({ description: 'Mémoire de chaque fil de calcul, en Mo, et autant au plus pour ce qu’il décompresse.' }),
  DEMO: optional(flag).meta({
    fallback: '`on` hors production',
    description: '`off` laisse la base vide. Toujours `off` en production.',
  }),
}

const databaseVariables = {
  DATA_DIR: z.string().min(1).default('./data').meta({
    description: 'Dossier de la base embarquée, des fichiers, des messages retenus et des clés locales.',
  }),
  DATABASE_URL: optional(address(/^postgres(ql)?$/, 'postgres://voisol:secret@localhost/voisol')).meta({
    fallback: 'base embarquée',
    description:
      'Un PostgreSQL 15 ou plus récent\u00a0: `postgres://…`, avec le rôle de l’application. Obligatoire en production, sauf avec `EMBEDDED_DB`.',
  }),
  DATABASE_OWNER_URL: optional(address(/^postgres(ql)?$/, 'postgres://voisol_owner:secret@localhost/voisol')).meta({
    fallback: 'celle de `DATABASE_URL`',
    description:
      'Le rôle qui possède les tables, pour les migrations et les droits seulement\u00a0; celui de `DATABASE_URL` n’en possède alors aucune ([Deux rôles](operations.md#deux-rôles)).',
  }),
  DATABASE_ENGINE: optional(z.enum(['postgresql', 'citus'], 'postgresql ou citus est attendu.')).meta({
    fallback: 'reconnu',
    description:
      '`citus` exige l’extension et répartit les tables par organisation, `postgresql` ne répartit rien. Sans cette variable, la présence de l’extension décide ([Passer à l’échelle](scaling.md)).',
  }),
  DATABASE_POOL: z.coerce
    .number('Un nombre est attendu, par exemple 12.')
    .int()
    .min(2)
    .max(200)
    .default(12)
    .meta({ description: 'Nombre de connexions par processus.' }),
  DATABASE_POOLER: z.enum(['none', 'transaction']).default('none').meta({
    description:
      '`transaction` derrière un PgBouncer en mode transaction (essayé avec 1.18 et 1.24)\u00a0: aucune requête n’est préparée par son nom, et les tâches sont cherchées chaque seconde au lieu d’être annoncées. `DATABASE_OWNER_URL` peut rester directe.',
  }),
  EMBEDDED_DB: optional(z.literal('allow')).meta({ description: '`allow` permet la base embarquée en production.' }),
}

const keyVariables = {
  SECRET_KEY: optional(
    z.string().regex(/^[A-Za-z0-9+/]{43}=$/, '32 octets en base64 attendus (openssl rand -base64 32).'),
  ).meta({
    fallback: 'créée dans `DATA_DIR`',
    description:
      '32 octets en base64 (`openssl rand -base64 32`)\u00a0: chiffre les secrets et signe l’audit. Obligatoire en production.',
  }),
  SECRET_KEY_PREVIOUS: optional(
    z
      .string()
      .regex(
        /^[A-Za-z0-9+/]{43}=(?:,[A-Za-z0-9+/]{43}=)*$/,
        '32 octets en base64 attendus, ou plusieurs fois 32 entre virgules.',
      ),
  ).meta({
    description:
      'Les anciennes valeurs de `SECRET_KEY`, la dernière d’abord, entre virgules\u00a0: ce qu’elles ont chiffré et signé se lit encore. `voisol rotate-secrets` chiffre de nouveau ([Changer les clés](operations.md#changer-les-clés)).',
  }),
}

const mailVariables = {
  SMTP_URL: optional(address(/^smtps?$/, 'smtps://utilisateur:secret@smtp.exemple.fr')).meta({
    fallback: 'messages retenus',
    description:
      'Serveur d’envoi\u00a0: `smtps://utilisateur:secret@hôte:465`. Obligatoire en production. Sans lui, les messages restent dans `DATA_DIR` et se lisent à `/dev/mail`.',
  }),
  MAIL_FROM: z
    .string()
    .min(3)
    .default('Voisol <ne-pas-repondre@voisol.fr>')
    .meta({ description: 'Expéditeur des messages.' }),
  SUPPORT_EMAIL: z.email().default('support@voisol.fr').meta({ description: 'Adresse du support.' }),
  SUPPORT_MAIL_HOST: optional(
    z
      .string()
      .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i, 'Un nom de domaine est attendu, par exemple reponses.exemple.fr.'),
  ).meta({
    fallback: 'aucune réponse reçue',
    description:
      'Domaine des adresses auxquelles on répond aux messages du support. Se donne avec `SUPPORT_SMTP_PORT`.',
  }),
  SUPPORT_SMTP_PORT: optional(
    z.coerce.number('Un numéro de port est attendu, par exemple 2525.').int().min(0).max(65535),
  ).meta({
    fallback: 'aucune réponse reçue',
    description: 'Port où Voisol reçoit ces réponses en SMTP, derrière votre serveur de messagerie.',
  }),
  SUPPORT_SMTP_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .meta({ description: 'Adresse d’écoute où Voisol reçoit ces réponses.' }),
  SUPPORT_MAIL_AUTHSERV_ID: optional(
    z.string().regex(/^[a-z0-9._-]+$/i, 'Un nom de serveur est attendu, par exemple mx.exemple.fr.'),
  ).meta({
    fallback: 'aucun\u00a0: l’adresse de réponse signée suffit',
    description:
      'Nom que votre serveur de messagerie se donne dans `Authentication-Results`. Ce qu’il dit de DMARC, DKIM ou SPF est alors exigé d’un message au nom du demandeur. Il doit retirer les en-têtes de ce nom que porte un message reçu (RFC 8601).',
  }),
  BRAND_LINK_DELAY_HOURS: z.coerce
    .number('Un nombre d’heures est attendu, par exemple 72.')
    .int()
    .min(0)
    .max(8760, 'Au plus 8760 heures, un an.')
    .default(72)
    .meta({
      description:
        'Nombre d’heures entre la preuve du domaine d’une organisation et le premier message dont les liens y mènent.',
    }),
  AUDIT_MAIL: optional(z.email('Une adresse e-mail est attendue, par exemple audit@exemple.fr.')).meta({
    description:
      'Adresse qui reçoit chaque nuit le relevé des têtes du journal d’audit (le dernier maillon de chaque journal), à garder hors du serveur.',
  }),
}

const fileVariables = {
  FILES_S3_ENDPOINT: optional(address(/^https?$/, 'https://s3.exemple.fr')).meta({
    fallback: 'dossier local',
    description:
      'Adresse d’un stockage de fichiers compatible S3. Se donne avec `FILES_S3_BUCKET`, `FILES_S3_KEY_ID` et `FILES_S3_SECRET`.',
  }),
  FILES_S3_BUCKET: optional(z.string().min(1)).meta({ description: 'Compartiment où sont les fichiers.' }),
  FILES_S3_REGION: z.string().default('eu-west-3').meta({ description: 'Région du compartiment.' }),
  FILES_S3_KEY_ID: optional(z.string().min(1)).meta({ description: 'Identifiant de la clé d’accès.' }),
  FILES_S3_SECRET: optional(z.string().min(1)).meta({ description: 'Secret de la clé d’accès.' }),
}

const backupVariables = {
  BACKUP_KEY: optional(
    z
      .string()
      .min(16, '32 octets en base64 attendus (openssl rand -base64 32), ou une phrase d’au moins 16 caractères.'),
  ).meta({
    fallback: 'créée dans `DATA_DIR` hors production',
    description:
      'Ce qui chiffre les copies de l’installation\u00a0: 32 octets en base64 (`openssl rand -base64 32`), ou une phrase d’au moins 16 caractères. Elle n’est dans aucune copie\u00a0: gardez-la ailleurs, avec `SECRET_KEY`. En production, rien n’est copié sans elle.',
  }),
  BACKUP_FOLDER: z.string().default('').meta({
    fallback: '`DATA_DIR/backups`',
    description: 'Dossier où les copies sont gardées, de préférence sur un autre disque que les données.',
  }),
  BACKUP_S3_ENDPOINT: optional(address(/^https?$/, 'https://s3.exemple.fr')).meta({
    fallback: 'dossier',
    description:
      'Adresse d’un stockage compatible S3 où les copies sont gardées, au lieu du dossier. Se donne avec `BACKUP_S3_BUCKET`, `BACKUP_S3_KEY_ID` et `BACKUP_S3_SECRET`.',
  }),
  BACKUP_S3_BUCKET: optional(z.string().min(1)).meta({ description: 'Compartiment où sont les copies.' }),
  BACKUP_S3_REGION: z.string().default('eu-west-3').meta({ description: 'Région du compartiment.' }),
  BACKUP_S3_KEY_ID: optional(z.string().min(1)).meta({ description: 'Identifiant de la clé d’accès.' }),
  BACKUP_S3_SECRET: optional(z.string().min(1)).meta({ description: 'Secret de la clé d’accès.' }),
}

const monitoringVariables = {
  LOG_LEVEL: z
    .enum(['silent', 'error', 'warn', 'info', 'debug'])
    .default('info')
    .meta({ description: 'Ce qui est écrit au journal\u00a0: `silent`, `error`, `warn`, `info` ou `debug`.' }),
  SLOW_QUERY_MS: z.coerce
    .number('Un nombre de millisecondes est attendu, par exemple 1000.')
    .int()
    .min(0)
    .default(1000)
    .meta({
      description:
        'Une requête à la base plus longue, en millisecondes, est écrite au journal avec l’appel ou la tâche et l’organisation qui l’ont demandée, sans ses valeurs\u00a0; `0`\u00a0: jamais.',
    }),
  METRICS_TOKEN: optional(z.string().min(16)).meta({
    description:
      'Jeton de 16 caractères au moins, demandé à qui lit `/metrics`, cette machine comprise. Sans lui, `/metrics` ne se lit que depuis cette machine.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(address(/^https?$/, 'http://127.0.0.1:4318')).meta({
    description:
      'Collecteur OpenTelemetry (`http://127.0.0.1:4318`)\u00a0: il reçoit les traces des appels, des tâches et des requêtes à la base, et les mesures de `/metrics`, en OTLP sur HTTP (JSON).',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^(?:[\w-]+=[^,=]+(?:,|$))*$/, 'Des en-têtes sont attendus, par exemple x-cle=secret,x-autre=valeur.')
    .default('')
    .meta({ description: 'En-têtes présentés au collecteur (`nom=valeur`, entre virgules).' }),
  OTEL_SERVICE_NAME: z.string().min(1).default('voisol').meta({ description: 'Nom du service pour le collecteur.' }),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('Une part entre 0 et 1 est attendue, par exemple 0.1.')
    .min(0)
    .max(1)
    .default(1)
    .meta({ description: 'Part des traces gardée, de 0 à 1.' }),
  ANALYTICS_ID: optional(
    z.string().regex(/^[A-Z0-9-]{4,30}$/, 'Identifiant de mesure attendu, par exemple G-ABCD1234.'),
  ).meta({ description: 'Mesure d’audience\u00a0: son identifiant. Se donne avec `ANALYTICS_URL`.' }),
  ANALYTICS_URL: optional(z.url({ protocol: /^https?$/ })).meta({
    description: 'Mesure d’audience\u00a0: l’adresse qui reçoit les pages vues, après consentement seulement.',
  }),
}

const enedisVariables = {
  // These addresses, and nothing that a person enters, decide which machine is called.
  ENEDIS_SANDBOX_URL: optional(address(/^https?$/, 'http://127.0.0.1:4010')).meta({
    fallback: 'démarré avec la démonstration',
    description: 'Adresse d’un bac à sable local déjà démarré (`npm run enedis-sandbox`).',
  }),
  ENEDIS_SANDBOX_HOST: host(ENEDIS_HOSTS.sandbox).meta({ description: 'Adresse des interfaces d’essai d’Enedis.' }),
  ENEDIS_PRODUCTION_HOST: host(ENEDIS_HOSTS.production).meta({
    description: 'Adresse des interfaces réelles d’Enedis.',
  }),
  ENEDIS_QUOTAS: flag.default('on').meta({
    description: '`off` lève les quotas d’appels, vers le bac à sable local seulement.',
  }),
  ENEDIS_FOLDERS: z.string().default('').meta({
    description:
      'Dossiers réels (sans lien symbolique) sous lesquels des fichiers d’Enedis peuvent être relevés, séparés par des virgules. Chaque organisation n’y a que le sous-dossier à son numéro (`/srv/enedis/7`), que l’exploitant crée. Sans cette variable, aucun dossier n’est surveillé.',
  }),
}

const connectionVariables = {
  WEBHOOK_PORTS: z
    .string()
    .regex(/^(?:\d{1,5}(?:\s*,\s*\d{1,5})*)?$/, 'Ports attendus, par exemple 8443,9443.')
    .default('')
    .meta({
      description:
        'Ports ouverts aux webhooks et aux connexions en plus des leurs (80 et 443, 22 et 2222 en SFTP, 465, 587 et 2525 en SMTP), séparés par des virgules.',
    }),
  INVOICE_PLATFORM_FOLDER: z.string().default('').meta({
    description:
      'Dossier réel où les factures sont déposées pour une plateforme agréée (`<numéro>/factures`) et d’où ses réponses sont relues (`<numéro>/statuts/*.csv`, une ligne `numéro;état;motif`). Ce qui est lu passe dans `lus`, ce qui ne peut pas l’être dans `refuses` avec sa raison. L’exploitant le relie à la plateforme. Sans cette variable, aucune facture ne part par une plateforme.',
  }),
  BANK_FOLDER: z.string().default('').meta({
    description:
      'Dossier réel où la banque, ou un outil EBICS, dépose les relevés (`<numéro>/releves`)\u00a0: camt.053, camt.054, pain.002, ou tableau CSV d’un compte dont les colonnes sont déjà nommées. Chaque fichier va au compte dont il porte l’IBAN. Ce qui est lu passe dans `lus`, ce qui ne peut pas l’être dans `refuses` avec sa raison.',
  }),
  STRIPE_HOST: host('https://api.stripe.com').meta({
    description: 'Adresse du prestataire de paiement en ligne\u00a0: elle seule décide qui est appelé.',
  }),
  PAYMENT_SANDBOX_URL: optional(address(/^https?$/, 'http://127.0.0.1:4020')).meta({
    fallback: 'démarré avec la démonstration',
    description:
      'Adresse d’un bac à sable de paiement déjà démarré (`npm run payment-sandbox`)\u00a0; jamais en production.',
  }),
  WEATHER_SANDBOX_URL: optional(address(/^https?$/, 'http://127.0.0.1:4030')).meta({
    fallback: 'démarré avec la démonstration',
    description: 'Adresse d’un bac à sable météo déjà démarré (`npm run weather-sandbox`)\u00a0; jamais en production.',
  }),
}

const serviceVariables = {
  SUBSCRIPTIONS: optional(flag).meta({
    fallback: '`off` (démonstration locale\u00a0: `on`)',
    description:
      '`on`\u00a0: les organisations s’abonnent à une formule, facturée par celle qui tient l’installation (`voisol site keeper`)\u00a0; l’essai finit, les points de mesure sont comptés. `off`\u00a0: rien n’est limité, et ce qui était souscrit n’est pas oublié.',
  }),
  CO2_GRID_GRAMS: grams(52).meta({ description: 'Grammes de CO₂ par kWh du réseau.' }),
  CO2_GRID_HOURLY: hourlyGrams.meta({
    description:
      'Les 24 facteurs du réseau heure par heure, à partir de minuit, entre virgules, s’ils sont connus\u00a0: `/analytics` montre alors aussi le CO₂ évité à l’heure.',
  }),
  CO2_SOLAR_GRAMS: grams(43.9).meta({ description: 'Grammes de CO₂ par kWh du solaire.' }),
  CO2_SOURCE: z
    .string()
    .min(1)
    .default('ADEME, Base Empreinte (mix moyen 2022)\u00a0; PV\u00a0: ADEME')
    .meta({ description: 'Source de ces facteurs, affichée avec chaque chiffre qui en vient.' }),
}

/** The titles of docs/configuration.md, in its order. */
export const SECTIONS: Record<string, Record<string, z.ZodType>> = {
  Serveur: serverVariables,
  'Données et base': databaseVariables,
  Clés: keyVariables,
  'E-mail': mailVariables,
  Fichiers: fileVariables,
  Copies: backupVariables,
  'Journal et mesures': monitoringVariables,
  Enedis: enedisVariables,
  'Autres services': connectionVariables,
  'Abonnements et émissions': serviceVariables,
}

export const Environment = z.object({
  ...serverVariables,
  ...databaseVariables,
  ...keyVariables,
  ...mailVariables,
  ...fileVariables,
  ...backupVariables,
  ...monitoringVariables,
  ...enedisVariables,
  ...connectionVariables,
  ...serviceVariables,
})
type Environment = z.output<typeof Environment>
type EnvironmentSource = Record<string, string | undefined>

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
function findProductionErrors(env: Partial<Environment>, bad: Set<string>): string[] {
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

function findPairErrors(env: Partial<Environment>): string[] {
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
function readEnvironment(source: EnvironmentSource) {
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
  faults.push(...findProductionErrors(env, bad), ...findPairErrors(env))
  return { env, faults }
}

export function loadConfig(source: EnvironmentSource): Config {
  const { env: partial, faults } = readEnvironment(source)
  if (faults.length)
    throw new StartupError(`Configuration refusée :\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
  const env = partial as Environment // without a fault every variable was read
  const dataDir = resolve(env.DATA_DIR)
  requireDataFolder(dataDir)
  const production = env.NODE_ENV === 'production'
  return {
    ...env,
    production,
    demo: !production && env.DEMO !== 'off',
    subscriptions: env.SUBSCRIPTIONS
      ? env.SUBSCRIPTIONS === 'on'
      : env.NODE_ENV === 'development' && env.DEMO !== 'off',
    dataDir,
    secretKey: env.SECRET_KEY ? Buffer.from(env.SECRET_KEY, 'base64') : loadOrCreateLocalKey(dataDir, 'secret'),
    formerKeys: (env.SECRET_KEY_PREVIOUS?.split(',') ?? []).map((key) => Buffer.from(key, 'base64')),
    backupKey: env.BACKUP_KEY ?? (production ? undefined : loadOrCreateLocalKey(dataDir, 'backup').toString('base64')),
  }
}
