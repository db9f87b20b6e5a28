import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { StartupError } from '../startup.ts'
import { RELEASE } from '../version.ts'
import {
  areTablesDistributed,
  type DatabaseEngine,
  distributeBeforeForeignKey,
  distributeOwnerFunctions,
  distributeTables,
  isDistributed,
} from './citus.ts'
import { type Db, isPool, transaction } from './client.ts'
import { isDatabaseRefusal } from './database-errors.ts'
import { applyGrants, loadCurrentRole, restoreOwnerRights } from './grants.ts'
import { type ProgressReporter, startMigrationProgress } from './migration-progress.ts'
import { applyRowSecurity } from './row-security.ts'

export const MIGRATIONS_FOLDER = join(import.meta.dirname, 'migrations')
const MIGRATION_LOCK = 0x766f6973

/**
 * Runs as the owner. Several processes may start at once: one migrates, the others wait for it. New migrations and the
 * grants of the application are one transaction, which drizzle's own migrator would end in between.
 */
export async function migrateDatabase(
  owner: Db,
  application: string,
  engine?: DatabaseEngine,
  say: ProgressReporter = () => {},
) {
  const distributed = await isDistributed(owner, engine)
  await retryOnLockTimeout(owner, async (tx) => {
    await restoreOwnerRights(tx)
    await applyMigrations(tx, MIGRATIONS_FOLDER, { say })
    await applyGrants(tx, application)
    await applyRowSecurity(tx)
  })
  if (!distributed) return
  const rolesDiffer = application !== (await loadCurrentRole(owner))
  await withMigrationLock(owner, async () => {
    await distributeTables(owner)
    await distributeOwnerFunctions(owner, rolesDiffer)
  })
}

const LOCKED_TOO_OFTEN =
  'La migration a cédé cent fois la place\u00a0: une table qu’elle change est lue ou écrite sans relâche. ' +
  'Attendez la fin de ce long travail (pg_stat_activity le nomme), puis recommencez.'
const LOCK_RETRY_OPTIONS = { wait: '3s', again: 1000, tries: 100 }

/**
 * A long read of a table blocks a change of it, and all later statements queue behind the change although the previous
 * version still serves them: it steps back, lets them pass and tries again.
 */
export async function retryOnLockTimeout(
  owner: Db,
  work: (tx: Db) => Promise<void>,
  { wait, again, tries } = LOCK_RETRY_OPTIONS,
) {
  for (let left = tries; left > 0; left--) {
    try {
      return await transaction(owner, async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
        await tx.execute(sql.raw(`set local lock_timeout = '${wait}'`))
        await work(tx)
      })
    } catch (error) {
      if (!isDatabaseRefusal(error, 'locked')) throw error
      await pause(again)
    }
  }
  throw new StartupError(LOCKED_TOO_OFTEN)
}

/** Nobody else migrates meanwhile; the lock is released with its connection. */
async function withMigrationLock(owner: Db, work: () => Promise<void>) {
  if (!isPool(owner.$client)) return work()
  const client = await owner.$client.connect()
  try {
    await client.query(`select pg_advisory_lock(${MIGRATION_LOCK})`)
    await work()
  } finally {
    client.release(true)
  }
}

/** The dates of the migrations of this version, in the order of the journal. */
export const loadKnownMigrations = () =>
  readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER }).map(({ folderMillis }) => folderMillis)

type MigrationJournal = { entries: { when: number; tag: string }[] }
/** The file names of the migrations, by their dates. */
function readMigrationNames(folder: string): Map<number, string> {
  const journal: MigrationJournal = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8'))
  return new Map(journal.entries.map(({ when, tag }) => [when, tag]))
}

/** A program older than its database would report that it is ready, and fail where a table has changed. */
function requireNoNewerMigrations(seen: Iterable<number>, known: Set<number>) {
  const newer = [...seen].filter((at) => !known.has(at))
  if (newer.length === 0) return
  throw new StartupError(
    `La base de données a été mise à jour par une version plus récente de Voisol (${newer.length} étape(s) que la ${RELEASE} ne connaît pas).\n` +
      'Lancez cette version plus récente, ou restaurez avec celle-ci, dans une base vide, une copie d’avant la mise à jour. Rien n’a été changé.',
  )
}

const APPLIED_MIGRATIONS_QUERY = sql`select created_at as at from drizzle.__drizzle_migrations`

/** The migrations applied to the database, by their dates; empty in a new one. */
async function loadSeenMigrations(db: Db): Promise<Set<number>> {
  const { rows } = await db.execute<{ there: boolean }>(
    sql`select exists (select 1 from pg_tables where schemaname = 'drizzle' and tablename = '__drizzle_migrations') as there`,
  )
  if (!rows[0]?.there) return new Set()
  const seen = await db.execute<{ at: string }>(APPLIED_MIGRATIONS_QUERY)
  return new Set(seen.rows.map(({ at }) => Number(at)))
}

/** Refuses a database that a later version of the program has migrated. */
export const requireKnownMigrations = async (db: Db) =>
  requireNoNewerMigrations(await loadSeenMigrations(db), new Set(loadKnownMigrations()))

/**
 * Applies the migrations of the folder that are missing, in the order of the journal, and records them as drizzle does.
 * With `wanted` only those, because a backup is restored into the tables it was taken from. `say` reports each step.
 */
export async function applyMigrations(
  tx: Db,
  migrationsFolder: string,
  { wanted, say = () => {} }: { wanted?: Set<number>; say?: ProgressReporter } = {},
): Promise<void> {
  await tx.execute(sql`create schema if not exists drizzle`)
  await tx.execute(sql`create table if not exists drizzle.__drizzle_migrations (
    id serial primary key, hash text not null, created_at bigint)`)
  const seen = await loadSeenMigrations(tx)
  const names = readMigrationNames(migrationsFolder)
  const files = readMigrationFiles({ migrationsFolder })
  // Checked again under the lock: a later version may have been quicker.
  requireNoNewerMigrations(seen, new Set(files.map(({ folderMillis }) => folderMillis)))
  const isDistributedDatabase = await areTablesDistributed(tx)
  const pending = files
    .filter(({ folderMillis }) => !seen.has(folderMillis) && wanted?.has(folderMillis) !== false)
    .map(({ folderMillis, hash, sql: statements }) => ({
      folderMillis,
      hash,
      statements,
      name: names.get(folderMillis) ?? '',
    }))
  const progress = await startMigrationProgress(tx, pending, seen.size === 0, say)
  for (const [index, { folderMillis, hash, statements }] of pending.entries()) {
    progress.begin(index)
    if (isDistributedDatabase)
      for (const statement of statements) {
        await distributeBeforeForeignKey(tx, statement)
        await tx.execute(sql.raw(statement))
      }
    // Sent in one message: with a slow network, each of some hundred statements would wait for an answer.
    else await tx.execute(sql.raw(statements.join('\n;\n')))
    await tx.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`)
  }
  progress.end()
}

export async function requirePostgresVersion(db: Db) {
  const { rows } = await db.execute<{ version: string }>(sql`select current_setting('server_version_num') as version`)
  const version = Number(rows[0]?.version)
  if (version < 150000) throw new StartupError('PostgreSQL 15 ou plus récent est nécessaire.')
}
