import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { PgBoss } from 'pg-boss'
import { limitPoolQueue, monitorPool } from './connection-pool.ts'
import { isDatabaseRefusal } from './database-errors.ts'

/**
 * State of a database: its job queue once open, whether connections forget prepared statements, and whether company
 * rows are on other machines than the accounts.
 */
export type DatabaseContext = { queue?: PgBoss | undefined; forgetful?: boolean; spread?: boolean }

/** Days of operations, or of points in them, whose results are outdated. */
export type TouchedDays = { operationIds?: string[]; pointIds?: string[]; from: string; to: string | null }

/** The pool, or within `transaction` its connection; `$company` is the company its transactions may write for. */
export type Db = NodePgDatabase<Record<string, never>> & {
  $client: pg.Pool | pg.PoolClient
  $jobs: DatabaseContext
  $company?: number | undefined
  /** Set by tracking: all days that the transaction affects are collected here. */
  $touched?: TouchedDays[] | undefined
}

/** The same database through another client. */
export const createDb = <C extends pg.Pool | pg.PoolClient>(client: C, $jobs: DatabaseContext, $company?: number) =>
  Object.assign(drizzle<Record<string, never>, C>({ client }), { $jobs, $company })

/** The same database for one company: row security refuses writes of its transactions for another. */
export const scopeToCompany = (db: Db, companyId: number): Db =>
  isPool(db.$client) ? Object.assign(Object.create(db), { $company: companyId }) : db

/** `set local` rather than `set_config`, because Citus forwards it to the machines that hold the rows. */
const companySetting = (companyId: number | undefined) => `set local voisol.company = '${companyId ?? ''}'`
const buildBeginStatement = (companyId: number | undefined) =>
  companyId === undefined ? 'begin' : `begin; ${companySetting(companyId)}`

/**
 * From here on the transaction writes for this company, or for any; for the few writes that reach beyond one company.
 */
export const setWriteCompany = (tx: Db, companyId: number | undefined) => tx.$client.query(companySetting(companyId))

const KEEPALIVE_SETTINGS = `
  select set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
         set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '20000', false)`
/** A silently lost connection is detected at both ends: by us, and by PostgreSQL, which rolls back what was open. */
export const CONNECTION_OPTIONS = {
  connectionTimeoutMillis: 5000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  /** Set after connecting: a pooler refuses unknown startup settings. */
  onConnect: (client: pg.ClientBase) =>
    client.query(KEEPALIVE_SETTINGS).then(
      () => {},
      () => {},
    ),
}

/** Behind a transaction pooler, a statement prepared on one server connection may be executed on another. */
export type PoolerMode = 'none' | 'transaction'

/** `watch` receives the pool before its first use. */
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
    // A new connection starts with empty caches, so idle ones are kept.
    idleTimeoutMillis: 600_000,
  })
  // A connection lost while idle is replaced at its next use; without a listener the event would end the process.
  pool.on('error', () => {})
  monitorPool(pool)
  limitPoolQueue(pool)
  watch?.(pool)
  return createDb(pool, { forgetful: pooler === 'transaction' })
}

export const isPool = (client: pg.Pool | pg.PoolClient): client is pg.Pool => client instanceof pg.Pool

/**
 * Runs `work` in a transaction; within an open one it joins it, so that several writes are committed or rolled back
 * together.
 */
export async function transaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  if (!isPool(db.$client)) return work(db)
  const client = await db.$client.connect()
  let broken: Error | undefined
  // A connection cut while idle in a transaction emits an event; without a listener it would end the process.
  const markBroken = (error: Error) => {
    broken = error
  }
  client.on('error', markBroken)
  try {
    await client.query(buildBeginStatement(db.$company))
    const result = await work(createDb(client, db.$jobs, db.$company))
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(markBroken)
    // After a failover the primary is reached by a new connection.
    if (error instanceof Error && isDatabaseRefusal(error, 'standby')) markBroken(error)
    throw error
  } finally {
    client.removeListener('error', markBroken)
    client.release(broken)
  }
}

/** A prepared statement, planned once per connection: for queries of every request. */
export const queryPrepared = <Row extends pg.QueryResultRow>(db: Db, name: string, text: string, values: unknown[]) =>
  db.$client.query<Row>({ text, values, ...(!db.$jobs.forgetful && { name }) })

/** Reads everything as of one moment: a run that ends meanwhile would otherwise be seen by halves. */
export const readSnapshot = <T>(db: Db, read: (view: Db) => Promise<T>): Promise<T> =>
  transaction(db, async (view) => {
    // Inside the transaction of somebody else, its own view holds.
    if (view !== db) await view.$client.query('set transaction isolation level repeatable read read only')
    return read(view)
  })
