import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { StartupError } from '../startup-error.ts'
import { type Db, transaction } from './client.ts'

const FOLDER = join(import.meta.dirname, 'migrations')
const LOCK = 0x766f6973

/** Several processes may start at once: one migrates, the others wait for it. */
export const migrateDatabase = (db: Db) =>
  transaction(db, async (tx) => {
    await requireVersion(tx)
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`)
    await migrate(tx, { migrationsFolder: FOLDER })
  })

async function requireVersion(db: Db) {
  const { rows } = await db.execute<{ version: string }>(sql`select current_setting('server_version_num') as version`)
  const version = Number(rows[0]?.version)
  if (version < 150000) throw new StartupError('PostgreSQL 15 ou plus récent est nécessaire.')
}
