import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { PgBoss } from 'pg-boss'
import { limitPoolQueue } from './line.ts'
import { isDatabaseRefusal } from './refusal.ts'
import { monitorPool } from './watch.ts'

/**
 * Where the jobs of a database are sent, once its queue is open, whether its connections forget statements, and whether the
 * rows of companies are on other machines than those that say who calls.
 */
export type DatabaseContext = { queue?: PgBoss | undefined; forgetful?: boolean; spread?: boolean }

/** Days of operations, or of the points in them, whose results no longer follow from their input. */
export type TouchedDays = { operationIds?: string[]; pointIds?: string[]; from: string; to: string | null }

/** The pool, or inside `transaction` the one connection that holds it; `$company` is the one its transactions write for. */
export type Db = NodePgDatabase<Record<string, never>> & {
  $client: pg.Pool | pg.PoolClient
  $jobs: DatabaseContext
  $company?: number | undefined
  /** Where somebody watches, all that the transaction touches is kept here. */
  $touched?: TouchedDays[] | undefined
}

/** The same database through another client. */
export const createDb = <C extends pg.Pool | pg.PoolClient>(client: C, $jobs: DatabaseContext, $company?: number) =>
  Object.assign(drizzle<Record<string, never>, C>({ client }), { $jobs, $company })

/** The same database for what belongs to one company: what a transaction writes for another is refused by the database. */
export const scopeToCompany = (db: Db, companyId: number): Db =>
  isPool(db.$client) ? Object.assign(Object.create(db), { $company: companyId }) : db

/** `set local` and not `set_config`: a distributed PostgreSQL hands it on to the machines that hold the rows. */
const companySetting = (companyId: number | undefined) => `set local voisol.company = '${companyId ?? ''}'`
const buildBeginStatement = (companyId: number | undefined) =>
  companyId === undefined ? 'begin' : `begin; ${companySetting(companyId)}`

/** From here on the transaction writes for this company, or for any; for the few writes that reach beyond one's own. */
export const setWriteCompany = (tx: Db, companyId: number | undefined) => tx.$client.query(companySetting(companyId))

const KEEPALIVE_SETTINGS = `
  select set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
         set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '20000', false)`
/** A way that was lost in silence is noticed from both ends: by us, and by PostgreSQL, which takes back what was open. */
export const CONNECTION_OPTIONS = {
  connectionTimeoutMillis: 5000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  /** Said once connected: a pooler refuses to begin with settings it does not know. */
  onConnect: (client: pg.ClientBase) =>
    client.query(KEEPALIVE_SETTINGS).then(
      () => {},
      () => {},
    ),
}

/** Behind a pooler that shares connections between transactions, what was prepared on one is looked for on another. */
export type PoolerMode = 'none' | 'transaction'

/** `watch` sees the pool before anything is asked of it. */
type OpenDatabaseOptions = { pooler?: PoolerMode; watch?: (pool: pg.Pool) => void }

export function openDatabase(
  url: string,
  max: number,
  { pooler = 'none', watch }: OpenDatabaseOptions = {},
): Db & { $client: pg.Pool } {
  const pool = new pg.Pool({
    ...CONNECTION_OPTIONS,
    connectionString: url,
    max,
    application_name: 'voisol',
    // A new connection has everything to learn again: one that rests is kept.
    idleTimeoutMillis: 600_000,
  })
  // A connection lost while idle is replaced at its next use; unheard, the event would end the process.
  pool.on('error', () => {})
  monitorPool(pool)
  limitPoolQueue(pool)
  watch?.(pool)
  return createDb(pool, { forgetful: pooler === 'transaction' })
}

export const isPool = (client: pg.Pool | pg.PoolClient): client is pg.Pool => client instanceof pg.Pool

/** Runs `work` in a transaction; inside one already open it joins it, so that several writes stand or fall together. */
export async function transaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  if (!isPool(db.$client)) return work(db)
  const client = await db.$client.connect()
  let broken: Error | undefined
  // A connection cut while it waits has nobody else to tell; unheard, the event would end the process.
  const lost = (error: Error) => {
    broken = error
  }
  client.on('error', lost)
  try {
    await client.query(buildBeginStatement(db.$company))
    const result = await work(createDb(client, db.$jobs, db.$company))
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(lost)
    // The one that took over is behind another connection.
    if (error instanceof Error && isDatabaseRefusal(error, 'standby')) lost(error)
    throw error
  } finally {
    client.removeListener('error', lost)
    client.release(broken)
  }
}

/** A statement planned once per connection: for what runs at every request. */
export const queryPrepared = <Row extends pg.QueryResultRow>(db: Db, name: string, text: string, values: unknown[]) =>
  db.$client.query<Row>({ text, values, ...(!db.$jobs.forgetful && { name }) })
