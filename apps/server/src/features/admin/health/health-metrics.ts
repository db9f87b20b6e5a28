import { statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { connect } from 'node:tls'
import type { HealthLevel, HealthUnit } from '@voisol/contract/health'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { MAIL_JOBS } from '../../../jobs/job.ts'
import { findLastCopyRunSuccess } from '../backups/index.ts'

/** By default a higher value is worse; with `falling` a lower one is. A metric without thresholds is only displayed. */
type Metric = {
  label: string
  group: string
  unit: z.infer<typeof HealthUnit>
  warning?: number
  critical?: number
  falling?: true
  advice: string
}

/** The metrics with their thresholds and the remedy beyond them. */
export const METRICS = {
  'database.size': { label: 'Taille de la base', group: 'Base de données', unit: 'bytes', advice: '' },
  'database.connections': {
    label: 'Connexions occupées',
    group: 'Base de données',
    unit: 'share',
    warning: 0.7,
    critical: 0.9,
    advice: 'Diminuez DATABASE_POOL, ou augmentez max_connections de PostgreSQL.',
  },
  'database.slow': {
    label: 'Requêtes de plus de 30 s',
    group: 'Base de données',
    unit: 'count',
    warning: 3,
    critical: 10,
    advice: 'Regardez pg_stat_activity\u00a0: une tâche lourde ou un verrou retient les autres.',
  },
  'queue.late': {
    label: 'Tâches en retard',
    group: 'File de tâches',
    unit: 'count',
    warning: 1,
    critical: 50,
    advice: 'Vérifiez qu’un processus ROLE=worker (ou all) tourne\u00a0; ajoutez-en un si la file ne se vide pas.',
  },
  'queue.failed': {
    label: 'Tâches abandonnées en un jour',
    group: 'File de tâches',
    unit: 'count',
    warning: 5,
    critical: 50,
    advice: 'Lisez leur raison dans le journal du serveur, corrigez-en la cause, puis relancez-les.',
  },
  'mail.failed': {
    label: 'E-mails non partis en un jour',
    group: 'Messagerie',
    unit: 'count',
    warning: 1,
    critical: 20,
    advice: 'Vérifiez SMTP_URL et le compte d’envoi\u00a0: «\u00a0voisol doctor\u00a0» essaie la connexion.',
  },
  'mail.waiting': {
    label: 'E-mails qui attendent depuis plus d’une heure',
    group: 'Messagerie',
    unit: 'count',
    warning: 1,
    critical: 100,
    advice:
      'Le serveur d’e-mail ne répond pas\u00a0: vérifiez SMTP_URL («\u00a0voisol doctor\u00a0» essaie la connexion). Ils sont gardés trois jours et partiront d’eux-mêmes.',
  },
  'process.memory': {
    label: 'Mémoire du processus',
    group: 'Machine',
    unit: 'share',
    warning: 0.7,
    critical: 0.9,
    advice: 'Redémarrez le processus, baissez COMPUTE_MEMORY_MB, ou donnez plus de mémoire à la machine.',
  },
  'process.loop': {
    label: 'Attente de la boucle (p99)',
    group: 'Machine',
    unit: 'ms',
    warning: 250,
    critical: 2000,
    advice: 'Le processeur est saturé\u00a0: ajoutez un processus, ou séparez ROLE=web et ROLE=worker.',
  },
  'disk.free': {
    label: 'Place libre sur le disque',
    group: 'Machine',
    unit: 'share',
    warning: 0.15,
    critical: 0.05,
    falling: true,
    advice: 'Libérez de la place, agrandissez le disque de DATA_DIR, ou gardez moins de copies.',
  },
  'sync.lag': {
    label: 'Dernières courbes reçues',
    group: 'Distributeur',
    unit: 'hours',
    warning: 48,
    critical: 120,
    advice: 'Ouvrez le journal du distributeur\u00a0: un accès refusé ou une pause arrête les courbes.',
  },
  'certificate.left': {
    label: 'Certificat du site',
    group: 'Site',
    unit: 'days',
    warning: 21,
    critical: 7,
    falling: true,
    advice: 'Renouvelez le certificat de PUBLIC_URL, et vérifiez que son renouvellement automatique tourne.',
  },
  'copy.age': {
    label: 'Dernière copie',
    group: 'Copies',
    unit: 'hours',
    warning: 30,
    critical: 72,
    advice: 'Ouvrez les copies\u00a0: la raison du dernier échec y est, et une copie peut être lancée.',
  },
  'copy.key': {
    label: 'Clé de chiffrement des copies absente',
    group: 'Copies',
    unit: 'count',
    warning: 1,
    critical: 2,
    advice:
      'Donnez BACKUP_KEY au serveur (openssl rand -base64 32), et gardez-la ailleurs avec SECRET_KEY\u00a0: sans elle aucune copie n’est faite.',
  },
  'drill.age': {
    label: 'Dernier essai de restauration',
    group: 'Copies',
    unit: 'days',
    warning: 10,
    critical: 30,
    advice: 'Lancez un essai de restauration depuis l’écran des copies.',
  },
} as const satisfies Record<string, Metric>

export type MetricName = keyof typeof METRICS
export const findMetric = (name: string): Metric | undefined =>
  Object.hasOwn(METRICS, name) ? METRICS[name as MetricName] : undefined // looked for just before

/** The level of a value; an unmeasured value has none. */
export function getHealthLevel({ warning, critical, falling }: Metric, value: number | null): HealthLevel {
  if (value === null || warning === undefined || critical === undefined) return 'ok'
  const isBeyond = (limit: number) => (falling ? value <= limit : value >= limit)
  if (isBeyond(critical)) return 'critical'
  return isBeyond(warning) ? 'warning' : 'ok'
}

export type HealthMeasures = Record<MetricName, number | null>

const DATABASE_QUERY = `
  select pg_database_size(current_database())::float8 as size,
         (select count(*) from pg_stat_activity)::float8 / current_setting('max_connections')::float8 as connections,
         (select count(*) from pg_stat_activity where state = 'active' and datname = current_database()
             and query_start < now() - interval '30 seconds')::int as slow`
const QUEUE_QUERY = `
  select count(*) filter (where state in ('created', 'retry') and start_after < now() - interval '5 minutes')::int as late,
         count(*) filter (where state = 'failed' and completed_on > now() - interval '1 day')::int as failed,
         count(*) filter (where state = 'failed' and name = any ($1) and completed_on > now() - interval '1 day')::int as mail,
         count(*) filter (where state = 'retry' and name = any ($1) and created_on < now() - interval '1 hour')::int as unsent
    from jobs.job where name not like '\\_\\_pgboss%'`
/** Only for companies that synchronise curves with the distributor. */
const SYNC_LAG_QUERY = `
  select extract(epoch from now() - max(finished_at))::float8 / 3600 as hours from sync_tasks where finished_at is not null`

type NumberRow = Record<string, number | null>
const queryRow = async (db: Db, text: string, values: unknown[] = []): Promise<NumberRow> =>
  (await db.$client.query<NumberRow>(text, values)).rows[0] ?? {}

const LOOP_SAMPLE_MS = 200
async function measureLoopDelay(): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 10 })
  delays.enable()
  await setTimeout(LOOP_SAMPLE_MS)
  delays.disable()
  return Math.max(0, Math.round(delays.percentile(99) / 1e6 - 10))
}

async function measureDiskFree({ config }: Deps): Promise<number> {
  const { bavail, blocks } = await statfs(config.dataDir)
  return Number(bavail) / Math.max(1, Number(blocks))
}

const TLS_TIMEOUT_MS = 3000
/** Days until the TLS certificate of the public address expires; null when there is none or it does not answer. */
const measureCertificateDaysLeft = (url: string | undefined) =>
  new Promise<number | null>((resolve) => {
    const address = url ? new URL(url) : undefined
    if (address?.protocol !== 'https:') return resolve(null)
    const { hostname: host, port } = address
    // The certificate is read without verification, since an expired one is what this measure looks for.
    const socket = connect({ host, port: Number(port || 443), servername: host, rejectUnauthorized: false })
    const end = (days: number | null) => {
      socket.destroy()
      resolve(days)
    }
    socket.setTimeout(TLS_TIMEOUT_MS, () => end(null))
    socket
      .once('error', () => end(null))
      .once('secureConnect', () => {
        const until = Date.parse(socket.getPeerCertificate().valid_to)
        end(Number.isNaN(until) ? null : Math.floor((until - Date.now()) / 86_400_000))
      })
  })

const getElapsed = (at: Date | undefined, unit: number) => (at ? Math.max(0, (Date.now() - at.getTime()) / unit) : null)
const nullOnError = <T>(work: Promise<T>) => work.catch(() => null)

/** Measures everything in parallel; what cannot be measured is null and does not stop the rest. */
export async function measureHealth(deps: Deps): Promise<HealthMeasures> {
  const { db, config } = deps
  const [database, queue, lag, loop, disk, certificate, copy, lastRestoreTest] = await Promise.all([
    nullOnError(queryRow(db, DATABASE_QUERY)),
    nullOnError(queryRow(db, QUEUE_QUERY, [MAIL_JOBS])),
    nullOnError(queryRow(db, SYNC_LAG_QUERY)),
    measureLoopDelay(),
    nullOnError(measureDiskFree(deps)),
    measureCertificateDaysLeft(config.PUBLIC_URL),
    nullOnError(findLastCopyRunSuccess(db, 'copy')),
    nullOnError(findLastCopyRunSuccess(db, 'drill')),
  ])
  return {
    'database.size': database?.size ?? null,
    'database.connections': database?.connections ?? null,
    'database.slow': database?.slow ?? null,
    'queue.late': queue?.late ?? null,
    'queue.failed': queue?.failed ?? null,
    'mail.failed': queue?.mail ?? null,
    'mail.waiting': queue?.unsent ?? null,
    'process.memory': process.memoryUsage.rss() / totalmem(),
    'process.loop': loop,
    'disk.free': disk,
    'sync.lag': lag?.hours ?? null,
    'certificate.left': certificate,
    'copy.age': getElapsed(copy ?? undefined, 3_600_000),
    // In development a backup key is generated beside the data.
    'copy.key': config.backupKey ? 0 : 1,
    'drill.age': getElapsed(lastRestoreTest ?? undefined, 86_400_000),
  }
}
