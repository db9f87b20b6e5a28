import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { FileStore } from '../../../adapters/files/files.ts'
import { type Db, openDatabase, transaction } from '../../../db/client.ts'
import { retryOnDeadlock } from '../../../db/giving-way.ts'
import { loadCurrentRole, restoreOwnerRights } from '../../../db/grants.ts'
import {
  applyMigrations,
  loadKnownMigrations,
  MIGRATIONS_FOLDER,
  migrateDatabase,
  requirePostgresVersion,
} from '../../../db/migrate.ts'
import { migrateQueue } from '../../../jobs/migrate-queue.ts'
import { CopyFault } from './fault.ts'
import type { Manifest } from './manifest.ts'
import { type CopySource, verifyCopy, walkCopy } from './read-copy.ts'
import { computeSecretFingerprint } from './sealing.ts'
import type { Section } from './sections.ts'
import { buildCopyInQuery, listInstallationTables, setSequence, withoutForeignKeys } from './tables.ts'

export type RestoreCopyInput = {
  source: CopySource
  key: string
  /** The master key that the restored installation will run with; undefined where it is known to be lost. */
  secretKey: Buffer | undefined
  /** What it was before: a copy of that time is read with it. */
  formerKeys?: Buffer[]
  /** Where the database is: as its owner, and the role that works in it. */
  ownerUrl: string
  url: string
  /** Where files go; without it they are only looked at. */
  files?: FileStore | undefined
}

export function requireRestorableCopy(manifest: Manifest, secretKey: Buffer | undefined, former: Buffer[] = []): void {
  const known = new Set(loadKnownMigrations())
  if (manifest.migrations.some((at) => !known.has(at)))
    throw new CopyFault(
      `Cette copie vient d’une version plus récente de Voisol (${manifest.version})\u00a0: installez-la, puis recommencez.`,
    )
  if (secretKey && ![secretKey, ...former].some((key) => computeSecretFingerprint(key) === manifest.secretPrint))
    throw new CopyFault(
      `Cette copie demande la clé SECRET_KEY d’empreinte ${manifest.secretPrint}, celle d’ici a l’empreinte ${computeSecretFingerprint(secretKey)}\u00a0: ` +
        'donnez celle de l’installation copiée. Si elle est perdue, --lost-secret restaure sans les secrets qu’elle scelle.',
    )
}

type DatabaseState = { migrations: number[]; occupied: boolean }
async function loadDatabaseState(db: Db): Promise<DatabaseState> {
  const { rows } = await db.execute<{ there: boolean }>(
    sql`select to_regclass('public.companies') is not null as there`,
  )
  if (!rows[0]?.there) return { migrations: [], occupied: false }
  const seen = await db.execute<{ at: string }>(sql`select created_at as at from drizzle.__drizzle_migrations`)
  // One after the other: on a cluster their rows are not in one place.
  const found = []
  for (const table of ['companies', 'users', 'audit_entries'])
    found.push(...(await db.execute(sql`select 1 from ${sql.identifier(table)} limit 1`)).rows)
  return { migrations: seen.rows.map(({ at }) => Number(at)), occupied: found.length > 0 }
}

/** Whatever can be refused is refused here, before anything is written. */
async function requireEmptyDatabase(db: Db, manifest: Manifest): Promise<void> {
  await requirePostgresVersion(db)
  const { migrations, occupied } = await loadDatabaseState(db)
  if (occupied)
    throw new CopyFault(
      'La base n’est pas vide\u00a0: une copie ne se restaure que dans une base vide, pour ne rien recouvrir. Créez-en une (createdb), et nommez-la avec --into.',
    )
  const same =
    migrations.length === manifest.migrations.length && manifest.migrations.every((at) => migrations.includes(at))
  if (migrations.length && !same)
    throw new CopyFault(
      'La base est vide, mais ses tables sont d’une autre version que la copie\u00a0: donnez-en une où rien n’a encore été installé.',
    )
}

/** What was just loaded is looked at by PostgreSQL itself (autovacuum), which then waits for rights that wait for it. */
const migrateWithRetry = (owner: Db, application: string) => retryOnDeadlock(() => migrateDatabase(owner, application))

/** A verified copy into an empty database, whole or not at all; files first, since records name them. */
export async function restoreCopy(input: RestoreCopyInput): Promise<Manifest> {
  const manifest = await verifyCopy(input.source, input.key)
  requireRestorableCopy(manifest, input.secretKey, input.formerKeys)
  const owner = openDatabase(input.ownerUrl, 2)
  const application = openDatabase(input.url, 1)
  try {
    await requireEmptyDatabase(owner, manifest)
    await migrateQueue(input.ownerUrl)
    await transaction(owner, (tx) => writeCopyToDatabase(tx, input, manifest))
    await migrateWithRetry(owner, await loadCurrentRole(application))
  } finally {
    await Promise.all([owner.$client.end(), application.$client.end()])
  }
  return manifest
}

async function writeCopyToDatabase(
  tx: Db,
  { source, key, files }: RestoreCopyInput,
  manifest: Manifest,
): Promise<void> {
  const client = tx.$client as pg.PoolClient // of a transaction
  await restoreOwnerRights(tx)
  await applyMigrations(tx, MIGRATIONS_FOLDER, { wanted: new Set(manifest.migrations) })
  const tables = await listInstallationTables(client)
  await client.query(`truncate ${tables.map(({ name }) => pg.escapeIdentifier(name)).join()}`)
  const counts = new Map(manifest.tables.map(({ name, rows }) => [name, rows]))
  await withoutForeignKeys(client, async () => {
    await walkCopy(source, key, (section) => restoreSection(client, section, counts, files))
  })
  for (const { name, value } of manifest.sequences) await setSequence(client, name, value)
}

async function restoreSection(
  client: pg.PoolClient,
  { head, body }: Section,
  counts: Map<string, number>,
  files: FileStore | undefined,
): Promise<void> {
  if (head.kind === 'file') await files?.put(head.key, await toBuffer(body), head.mediaType)
  if (head.kind !== 'table') return
  const stream = client.query(copyFrom(buildCopyInQuery(head)))
  await pipeline(Readable.from(body), stream)
  if (stream.rowCount !== counts.get(head.name))
    throw new CopyFault(
      `La table ${head.name} a reçu ${stream.rowCount} lignes au lieu de ${counts.get(head.name)}\u00a0: rien n’a été gardé.`,
    )
}

async function toBuffer(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts)
}
