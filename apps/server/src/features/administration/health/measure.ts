import { statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { connect } from 'node:tls'
import { MAIL_JOBS } from '../../../core/mail-retries.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { findLastCopyRunSuccess } from '../backups/backups.ts'
import type { MetricName } from './metrics.ts'

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
