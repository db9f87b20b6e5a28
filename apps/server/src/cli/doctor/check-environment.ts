import { lookup } from 'node:dns/promises'
import { access, constants, statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/client.ts'
import {
  createFaultFinding,
  createOkFinding,
  createWarningFinding,
  type DoctorFinding,
  formatGigabytes,
  formatMegabytes,
  formatSeconds,
  getErrorMessage,
} from './finding.ts'

const CLOCK_CHECK = 'clock'
const SITE_TIMEOUT_MS = 3000
/** Sessions, job locks and second factors tolerate no more; the HTTP date header has whole seconds. */
const MAX_SKEW_SECONDS = 2
const MAX_HTTP_SKEW_SECONDS = 5

/** How far another clock is ahead of ours, less the time the query itself may have taken. */
export function computeClockSkew(before: number, theirs: number, after: number): number {
  if (theirs >= before && theirs <= after) return 0
  return (theirs > after ? theirs - after : theirs - before) / 1000
}

async function measureDatabaseSkew({ $client }: Db): Promise<number> {
  const ask = () => $client.query<{ at: number }>('select extract(epoch from clock_timestamp())::float8 * 1000 as at')
  await ask() // the first query opens a connection
  const before = Date.now()
  const { rows } = await ask()
  return computeClockSkew(before, rows[0]?.at ?? before, Date.now())
}

/** Undefined if there is no answer, or none with a time. */
async function measureSiteSkew(url: string | undefined): Promise<number | undefined> {
  if (!url) return undefined
  try {
    const before = Date.now()
    const answer = await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(SITE_TIMEOUT_MS) })
    await answer.arrayBuffer()
    const at = Date.parse(answer.headers.get('date') ?? '')
    return Number.isNaN(at) ? undefined : computeClockSkew(before - 1000, at, Date.now())
  } catch {
    return undefined
  }
}

const REMEDY =
  'Réglez l’heure des deux machines par NTP («\u00a0timedatectl set-ntp true\u00a0»)\u00a0: sessions, doubles authentifications et tâches en dépendent.'
const describeSkew = (whose: string, ahead: number) =>
  `L’horloge ${whose} ${ahead > 0 ? 'avance' : 'retarde'} de ${formatSeconds(Math.abs(ahead))} sur celle de cette machine`

export async function checkClock(db: Db, publicUrl: string | undefined): Promise<DoctorFinding[]> {
  const [database, site] = [await measureDatabaseSkew(db), await measureSiteSkew(publicUrl)]
  const found: DoctorFinding[] = []
  if (Math.abs(database) > MAX_SKEW_SECONDS)
    found.push(createFaultFinding(CLOCK_CHECK, describeSkew('de la base', database), REMEDY))
  if (site !== undefined && Math.abs(site) > MAX_HTTP_SKEW_SECONDS)
    found.push(createFaultFinding(CLOCK_CHECK, describeSkew('de l’adresse publique', site), REMEDY))
  return found.length ? found : [createOkFinding(CLOCK_CHECK, 'Horloges à la même heure')]
}

const DISK_CHECK = 'disk'
type DiskStats = { bavail: number; bsize: number; blocks: number }
type DiskStatsLoader = (folder: string) => Promise<DiskStats>

const MIN_FREE_BYTES = 500_000_000
const LOW_FREE_SHARE = 0.15

async function checkFolder(what: string, folder: string, look: DiskStatsLoader): Promise<DoctorFinding[]> {
  const writable = await access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!writable)
    return [
      createFaultFinding(
        DISK_CHECK,
        `${what} ${folder} absent ou protégé en écriture`,
        'Créez-le, et donnez-le au compte qui lance Voisol.',
      ),
    ]
  const { bavail, bsize, blocks } = await look(folder)
  const [free, share] = [bavail * bsize, bavail / Math.max(1, blocks)]
  const text = `${what} ${folder}\u00a0: ${formatGigabytes(free)} libres`
  if (free < MIN_FREE_BYTES || share < LOW_FREE_SHARE / 3)
    return [
      createFaultFinding(
        DISK_CHECK,
        text,
        'Libérez de la place ou agrandissez le disque avant qu’une écriture ne soit refusée.',
      ),
    ]
  if (share < LOW_FREE_SHARE)
    return [createWarningFinding(DISK_CHECK, text, 'Prévoyez un disque plus grand, ou gardez moins de copies.')]
  return [createOkFinding(DISK_CHECK, text)]
}

const loadDiskStats: DiskStatsLoader = async (folder) => {
  const { bavail, bsize, blocks } = await statfs(folder)
  return { bavail: Number(bavail), bsize: Number(bsize), blocks: Number(blocks) }
}

export async function checkDisk({ dataDir, BACKUP_FOLDER }: Config, look = loadDiskStats): Promise<DoctorFinding[]> {
  const data = await checkFolder('Dossier de données', dataDir, look)
  return BACKUP_FOLDER ? [...data, ...(await checkFolder('Dossier des copies', resolve(BACKUP_FOLDER), look))] : data
}

/** The disk of a remote PostgreSQL cannot be read: only its size is reported. */
export async function checkDatabaseSize({ $client }: Db, isOurs: boolean): Promise<DoctorFinding[]> {
  const { rows } = await $client.query<{ size: number }>('select pg_database_size(current_database())::float8 as size')
  const where = isOurs
    ? 'dans le dossier de données'
    : 'sur la machine de PostgreSQL, dont le disque ne se voit pas d’ici'
  return [createOkFinding('database', `Base de ${formatMegabytes(rows[0]?.size ?? 0)}, ${where}`)]
}

const MAIL_CHECK = 'mail'
const TIMEOUTS = { connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 5000, dnsTimeout: 5000 }
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Connects, encrypts if possible and authenticates; nothing is sent. */
async function verifyMailServer(url: string, more: { requireTLS?: boolean } = {}): Promise<unknown> {
  const transport = createTransport({ url, ...TIMEOUTS, ...more })
  try {
    await transport.verify()
    return undefined
  } catch (error) {
    return error
  } finally {
    transport.close()
  }
}

const REMEDIES: Record<string, string> = {
  EAUTH: 'Le compte ou le mot de passe de SMTP_URL est refusé\u00a0: redemandez-les à votre hébergeur de messagerie.',
  ETLS: 'Le certificat du serveur d’e-mail est refusé\u00a0: vérifiez son nom et sa date.',
  ESOCKET: 'Vérifiez l’hôte, le port (465 avec smtps, 587 avec smtp) et que le pare-feu laisse sortir vers lui.',
}
const getRemedy = (error: unknown) =>
  (error instanceof Error && 'code' in error && REMEDIES[String(error.code)]) || String(REMEDIES.ESOCKET)

export async function checkMail(url: string | undefined): Promise<DoctorFinding[]> {
  if (!url)
    return [createOkFinding(MAIL_CHECK, 'E-mail\u00a0: sans SMTP_URL, les messages restent dans le dossier de données')]
  const refused = await verifyMailServer(url)
  if (refused)
    return [
      createFaultFinding(
        MAIL_CHECK,
        `Serveur d’e-mail injoignable ou fermé\u00a0: ${getErrorMessage(refused)}`,
        getRemedy(refused),
      ),
    ]
  const { protocol, hostname } = new URL(url)
  const isOpen = protocol === 'smtp:' && !LOOPBACK.test(hostname) && (await verifyMailServer(url, { requireTLS: true }))
  if (isOpen)
    return [
      createWarningFinding(
        MAIL_CHECK,
        'Le serveur d’e-mail ne sait pas chiffrer (STARTTLS)\u00a0: mots de passe et messages passent en clair',
        'Prenez smtps:// et le port 465, ou demandez STARTTLS à votre hébergeur.',
      ),
    ]
  return [createOkFinding(MAIL_CHECK, 'Serveur d’e-mail joignable, compte accepté')]
}

const HOST_NAMES_CHECK = 'dns'
const LOOKUP_TIMEOUT_MS = 5000
const rejectAfterTimeout = () =>
  setTimeout(LOOKUP_TIMEOUT_MS, undefined, { ref: false }).then(() => Promise.reject(new Error('no answer')))
/** A DNS server that does not answer counts as having no address. */
const withLookupTimeout = (work: Promise<unknown>) => Promise.race([work, rejectAfterTimeout()])

type HostLookup = (host: string) => Promise<unknown>
const getHost = (url: string | undefined) => (url ? new URL(url).hostname.replace(/^\[|\]$/g, '') : undefined)

/** The installation does not work without its own names; a name of a company affects that company only. */
export async function checkHostNames(
  config: Config,
  db: Db | undefined,
  find: HostLookup = lookup,
): Promise<DoctorFinding[]> {
  const own = [
    ['PUBLIC_URL', getHost(config.PUBLIC_URL)],
    ['SMTP_URL', getHost(config.SMTP_URL)],
    ['DATABASE_URL', getHost(config.DATABASE_URL)],
    ['FILES_S3_ENDPOINT', getHost(config.FILES_S3_ENDPOINT)],
    ['BACKUP_S3_ENDPOINT', getHost(config.BACKUP_S3_ENDPOINT)],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', getHost(config.OTEL_EXPORTER_OTLP_ENDPOINT)],
  ].filter((pair): pair is [string, string] => Boolean(pair[1]))
  const proved = db
    ? await db.$client.query<{ host: string; companyId: number }>(
        `select host, company_id as "companyId" from brand_hosts where proved_at is not null order by host`,
      )
    : { rows: [] }
  const isHostUnknown = (host: string) =>
    withLookupTimeout(find(host)).then(
      () => false,
      () => true,
    )
  const faults = own.map(async ([variable, host]) =>
    (await isHostUnknown(host))
      ? [
          createFaultFinding(
            HOST_NAMES_CHECK,
            `${host} (${variable}) n’a pas d’adresse`,
            'Vérifiez ce nom, et le serveur de noms de la machine.',
          ),
        ]
      : [],
  )
  const warnings = proved.rows.map(async ({ host, companyId }) =>
    (await isHostUnknown(host))
      ? [
          createWarningFinding(
            HOST_NAMES_CHECK,
            `${host}, adresse de l’organisation ${companyId}, n’a plus d’adresse`,
            'Demandez à l’organisation de remettre l’enregistrement de son domaine (docs/white-label.md).',
          ),
        ]
      : [],
  )
  const found: DoctorFinding[] = (await Promise.all([...faults, ...warnings])).flat()
  return found.length ? found : [createOkFinding(HOST_NAMES_CHECK, `Noms trouvés (${own.length + proved.rows.length})`)]
}
