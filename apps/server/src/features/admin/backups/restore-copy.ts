import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { type Db, openDatabase, transaction } from '../../../db/client.ts'
import { retryOnDeadlock } from '../../../db/database-errors.ts'
import { loadCurrentRole, restoreOwnerRights } from '../../../db/grants.ts'
import {
  applyMigrations,
  loadKnownMigrations,
  MIGRATIONS_FOLDER,
  migrateDatabase,
  requirePostgresVersion,
} from '../../../db/migrate.ts'
import type { FileStore } from '../../../integrations/files/files.ts'
import { migrateQueue } from '../../../jobs/migrate-queue.ts'
import {
  buildCorruptFault,
  CHUNK_BYTES,
  COPY_FORMAT,
  CopyFault,
  computeSecretFingerprint,
  decryptCopy,
  Manifest,
  readSections,
  type Section,
} from './copy-format.ts'
import { getCopyContentKey, listCopies } from './copy-store.ts'
import { buildCopyInQuery, listInstallationTables, setSequence, withoutForeignKeys } from './write-copy.ts'

type RestoreCopyInput = {
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

/** The bytes of a copy, from their beginning each time it is asked. */
export type CopySource = () => Promise<AsyncIterable<Uint8Array>>
/** Takes what it wants of each section; the rest is passed over. */
type SectionVisitor = (section: Section) => Promise<void>

/** Walks a copy from its first byte to its last; anything wrong with it is a fault. */
async function walkCopy(source: CopySource, key: string, visit: SectionVisitor): Promise<void> {
  try {
    await pipeline(
      await source(),
      (sealed) => decryptCopy(sealed, key),
      createZstdDecompress({ chunkSize: CHUNK_BYTES }),
      async (content) => {
        for await (const section of readSections(content)) await visit(section)
      },
    )
  } catch (error) {
    // The packing has errors of its own for what no longer unpacks.
    const packed = error instanceof Error && 'code' in error && String(error.code).startsWith('ZSTD')
    throw packed ? buildCorruptFault(error) : error
  }
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts).toString()
}

export async function hashStream(body: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of body) hash.update(part)
  return hash.digest('hex')
}

function readManifest(text: string): Manifest {
  const raw: unknown = JSON.parse(text)
  const format = typeof raw === 'object' && raw && 'format' in raw ? Number(raw.format) : 0
  if (format > COPY_FORMAT)
    throw new CopyFault(
      'Cette copie a été écrite par une version plus récente de Voisol\u00a0: mettez d’abord celle-ci à jour.',
    )
  return Manifest.parse(raw)
}

/** Of a file of a company, its name in the store is its hash. */
const hasWrongHash = (key: string, hash: string) => /\/[0-9a-f]{64}$/.test(key) && !key.endsWith(hash)

/** Reads all of a copy without keeping any of it: every table has its hash, every file its content. Needs no database. */
export async function verifyCopy(source: CopySource, key: string): Promise<Manifest> {
  let manifest: Manifest | undefined
  const hashes = new Map<string, string>()
  let files = 0
  await walkCopy(source, key, async ({ head, body }) => {
    if (manifest) throw buildCorruptFault()
    if (head.kind === 'manifest') manifest = readManifest(await readText(body))
    else if (head.kind === 'table') hashes.set(head.name, await hashStream(body))
    else if (hasWrongHash(head.key, await hashStream(body))) throw buildCorruptFault()
    else files++
  })
  if (!manifest || files !== manifest.files.count || hashes.size !== manifest.tables.length) throw buildCorruptFault()
  for (const { name, hash } of manifest.tables) if (hashes.get(name) !== hash) throw buildCorruptFault()
  return manifest
}

export const createCopySource =
  (place: FileStore, name: string): CopySource =>
  async () => {
    const content = await place.stream(getCopyContentKey(name))
    if (!content) throw new CopyFault(`La copie ${name} n’est plus là où les copies sont gardées.`)
    return content
  }

/** A file of this machine, one of those that are kept, or the newest of them. */
export async function requireCopySource(
  place: FileStore,
  requested: string,
): Promise<{ name: string; source: CopySource }> {
  if (existsSync(requested))
    return { name: requested, source: async () => createReadStream(requested, { highWaterMark: 1024 * 1024 }) }
  const storedCopies = await listCopies(place)
  const found = storedCopies.find(({ manifest }, index) =>
    requested === 'latest' ? index === 0 : manifest.name === requested,
  )
  if (found) return { name: found.manifest.name, source: createCopySource(place, found.manifest.name) }
  const names = storedCopies.slice(0, 3).map(({ manifest }) => manifest.name)
  throw new CopyFault(
    `Aucune copie «\u00a0${requested}\u00a0»\u00a0: ni fichier de cette machine, ni copie gardée${names.length ? ` (les dernières\u00a0: ${names.join(', ')})` : ''}.`,
  )
}
