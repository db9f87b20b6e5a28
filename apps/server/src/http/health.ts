import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { loadChecksumFailures } from '../db/checksum-failures.ts'
import type { Db } from '../db/client.ts'
import { DATABASE_CORRUPTED, RESTORE_ADVICE } from '../db/database-errors.ts'
import type { DiskSpaceMonitor } from '../disk-monitor.ts'
import { COMMIT_ID, VERSION } from '../version.ts'
import { UNAVAILABLE_RETRY_SECONDS } from './errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Set when the process was asked to stop: it finishes current work and accepts no new one. */
    life: { stopping: boolean }
  }
}

async function listUnavailableReasons(app: FastifyInstance): Promise<string[]> {
  if (app.life.stopping) return ['Le serveur s’arrête.']
  const failed = (await checkReadiness(app.deps)).filter((check) => !check.ok)
  const away = failed.some((check) => check.name === 'database')
  // Other checks need the database; a full disk may be why it is unavailable.
  const relevant = away ? failed.filter((check) => ['room', 'database'].includes(check.name)) : failed
  return relevant.map((check) => check.reason)
}

/**
 * Problems that the operator must know although the process serves: all processes share the database, and most of it is
 * well.
 */
async function listHealthWarnings({ aside, disk }: FastifyInstance['deps']): Promise<string[]> {
  const { pages } = await withReadinessTimeout(loadChecksumFailures(aside)).catch(() => ({ pages: 0 }))
  const slow = disk.trouble()
  return [...(pages ? [`${DATABASE_CORRUPTED}\u00a0: ${RESTORE_ADVICE}`] : []), ...(slow ? [slow] : [])]
}

/** `/healthz`: the process answers. `/readyz`: it can serve. */
export function registerHealth(app: FastifyInstance) {
  app.decorate('life', { stopping: false })
  app.get('/healthz', async (_, reply) => {
    reply.header('cache-control', 'no-store')
    return { status: 'ok', version: VERSION, commit: COMMIT_ID ?? null }
  })
  app.get('/readyz', async (_, reply) => {
    reply.header('cache-control', 'no-store')
    const why = await listUnavailableReasons(app)
    if (why.length) reply.code(503).header('retry-after', UNAVAILABLE_RETRY_SECONDS)
    if (why.length) return { status: 'unavailable', reasons: why }
    const aware = await listHealthWarnings(app.deps)
    return { status: 'ready', ...(aware.length && { warnings: aware }) }
  })
}

const journal = readFileSync(new URL('../db/migrations/meta/_journal.json', import.meta.url), 'utf8')
const MIGRATION_COUNT: number = JSON.parse(journal).entries.length

type ReadinessCheck = {
  name: 'database' | 'writes' | 'room' | 'migrations' | 'queue'
  ok: boolean
  reason: string
}

const READINESS_TIMEOUT_MS = 2000
/** A database that hangs counts as unavailable. */
const withReadinessTimeout = <T>(work: Promise<T>) =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('timeout')), READINESS_TIMEOUT_MS).unref()),
  ])

const succeedsInTime = async (work: () => Promise<boolean>) => {
  try {
    return await withReadinessTimeout(work())
  } catch {
    return false
  }
}

export const checkDatabase = (db: Db) =>
  succeedsInTime(async () => {
    await db.$client.query('select 1')
    return true
  })

/** After a failover, the former primary can be read but not written. */
const checkWrites = (db: Db) =>
  succeedsInTime(async () => {
    const { rows } = await db.$client.query<{ still: boolean }>(
      `select pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as still`,
    )
    return rows[0]?.still === false
  })

export const checkMigrations = (db: Db) =>
  succeedsInTime(async () => {
    const { rows } = await db.$client.query<{ n: number }>(
      'select count(*)::int as n from drizzle.__drizzle_migrations',
    )
    return (rows[0]?.n ?? 0) >= MIGRATION_COUNT
  })

/** The tables of the job queue exist. */
export const checkQueue = (db: Db) =>
  succeedsInTime(async () => {
    const { rowCount } = await db.$client.query('select 1 from jobs.version')
    return rowCount === 1
  })

type QueueDepth = { name: string; waiting: number; active: number; failed: number; late: number }

/** Per queue; `late` are jobs that should have started five minutes ago. */
export async function loadQueueDepths(db: Db): Promise<QueueDepth[]> {
  const { rows } = await db.$client.query<QueueDepth>(`
    select q.name,
           count(j.id) filter (where j.state in ('created', 'retry'))::int as waiting,
           count(j.id) filter (where j.state = 'active')::int as active,
           count(j.id) filter (where j.state = 'failed')::int as failed,
           count(j.id) filter (where j.state in ('created', 'retry')
                                 and j.start_after < now() - interval '5 minutes')::int as late
      from jobs.queue q left join jobs.job j on j.name = q.name
     group by q.name order by q.name`)
  return rows
}

/** Queries outside the pool: a process with a long pool queue refuses calls, but stays in rotation. */
export async function checkReadiness({
  aside: db,
  room,
}: {
  aside: Db
  room: DiskSpaceMonitor
}): Promise<ReadinessCheck[]> {
  const checks = [checkDatabase, checkWrites, checkMigrations, checkQueue].map((check) => check(db))
  const [database = false, writes = false, migrations = false, queue = false] = await Promise.all(checks)
  const roomProblem = database ? await withReadinessTimeout(room.lacking()).catch(() => undefined) : await room.onDisk()
  return [
    { name: 'room', ok: !roomProblem, reason: roomProblem ?? '' },
    { name: 'database', ok: database, reason: 'La base de données ne répond pas.' },
    { name: 'writes', ok: writes, reason: 'La base de données n’accepte pas d’écritures.' },
    { name: 'migrations', ok: migrations, reason: 'La base de données n’est pas à jour.' },
    { name: 'queue', ok: queue, reason: 'La file de tâches n’est pas ouverte.' },
  ]
}
