import type { DatabaseEngine } from './db/citus.ts'
import { type Db, openDatabase } from './db/client.ts'
import { loadCurrentRole, loadTableOwnership } from './db/grants.ts'
import { migrateDatabase, requireKnownMigrations, requirePostgresVersion } from './db/migrate.ts'
import type { ProgressReporter } from './db/migration-progress.ts'
import { checkMigrations, checkQueue } from './http/health.ts'
import { migrateQueue } from './jobs/migrate-queue.ts'
import { StartupError } from './startup.ts'

/** The database for the application role, and for the owner that migrates, if that is another role. */
export type DatabaseUrls = {
  url: string
  ownerUrl: string | undefined
  engine?: DatabaseEngine | undefined
  /** The local process that started the embedded PostgreSQL, if another one did. */
  sharedWith?: number | undefined
}

export const SINGLE_ROLE_WARNING =
  'Un seul rôle PostgreSQL possède les tables et y travaille\u00a0: il peut lever les protections de l’audit et des versions. ' +
  'Donnez DATABASE_OWNER_URL, et dans DATABASE_URL un rôle qui ne possède rien (voir docs/operations.md).'

/** Without the owner's URL, the application serves a database that something else keeps up to date. */
async function requireMigratedDatabase(db: Db) {
  if ((await checkMigrations(db)) && (await checkQueue(db))) return
  throw new StartupError(
    'La base de données n’est pas à jour, et ce rôle ne peut pas la mettre à jour\u00a0: ' +
      'donnez DATABASE_OWNER_URL, ou lancez «\u00a0voisol migrate\u00a0» avec elle.',
  )
}

/** Migrates as the owner, whose connections are then closed. True when one role does both. */
export async function prepareDatabase(
  db: Db,
  { url, ownerUrl, engine }: DatabaseUrls,
  say: ProgressReporter = () => {},
): Promise<{ oneRole: boolean }> {
  await requirePostgresVersion(db)
  const before = await loadTableOwnership(db)
  if (!ownerUrl && before.tables && !before.owns) {
    await requireMigratedDatabase(db)
    await requireKnownMigrations(db)
    return { oneRole: false }
  }
  const owner = openDatabase(ownerUrl ?? url, 2)
  try {
    await requireKnownMigrations(owner)
    await migrateQueue(ownerUrl ?? url)
    await migrateDatabase(owner, await loadCurrentRole(db), engine, say)
  } finally {
    await owner.$client.end()
  }
  return { oneRole: (await loadTableOwnership(db)).owns }
}
