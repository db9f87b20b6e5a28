import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { StartupError } from '../startup-error.ts'
import { type Db, transaction } from './client.ts'
import { applyGrants, takeBackRights } from './grants.ts'

const FOLDER = join(import.meta.dirname, 'migrations')
const LOCK = 0x766f6973

/** As the owner. Several processes may start at once: one migrates, the others wait for it. */
export const migrateDatabase = (owner: Db, application: string) =>
  transaction(owner, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`)
    await takeBackRights(tx)
    await migrate(tx, { migrationsFolder: FOLDER })
    await applyGrants(tx, application)
  })

export async function requireVersion(db: Db) {
  const { rows } = await db.execute<{ version: string }>(sql`select current_setting('server_version_num') as version`)
  const version = Number(rows[0]?.version)
  if (version < 150000) throw new StartupError('PostgreSQL 15 ou plus récent est nécessaire.')
}
