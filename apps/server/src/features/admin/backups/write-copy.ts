import { createHash, type Hash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { constants, createZstdCompress } from 'node:zlib'
import { formatFrenchNumber } from '@voisol/file-formats/french'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Config } from '../../../config.ts'
import { getFileKey as fileKey } from '../../../core/stored-files.ts'
import { type Db, readSnapshot } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { RELEASE } from '../../../version.ts'
import {
  CHUNK_BYTES,
  COPY_FORMAT,
  CopyFault,
  computeManifestMac,
  computeSecretFingerprint,
  encryptCopy,
  isCopyComplete,
  type Manifest,
  type SignedManifest,
  toSignedManifestText,
  writeSection,
} from './copy-format.ts'
import {
  COPIES_PREFIX,
  getCopiesFolder,
  getCopyContentKey,
  getCopyManifestKey,
  listCopies,
  openCopyStore,
  requireBackupKey,
} from './copy-store.ts'
import { loadRecordedFiles } from './missing-files.ts'

/** What stands in the store beside the files that records name. */
const EXTRA_FOLDERS = ['audit-heads']

type ByteCounter = { bytes: number; hash: Hash }
async function* countBytes(source: AsyncIterable<Uint8Array>, into: ByteCounter): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    into.bytes += piece.length
    into.hash.update(piece)
    yield piece
  }
}
const createByteCounter = (): ByteCounter => ({ bytes: 0, hash: createHash('sha256') })

async function* writeTableSections(
  client: pg.PoolClient,
  tables: InstallationTable[],
  into: Manifest,
): AsyncGenerator<Uint8Array> {
  for (const table of tables) {
    const rows = client.query(copyTo(buildCopyOutQuery(table)))
    const count = createByteCounter()
    let fault: unknown
    try {
      yield* writeSection({ kind: 'table', ...table }, countBytes(rows.iterator({ destroyOnReturn: false }), count))
    } catch (error) {
      fault = error
      throw error
    } finally {
      // What stays unread would be taken for the next answer; why it ended is what the database said, not that it ended.
      await finished(rows.resume(), { cleanup: true }).catch((ended: unknown) => {
        throw fault ?? ended
      })
    }
    const { bytes, hash } = count
    into.tables.push({ name: table.name, rows: rows.rowCount, bytes, hash: hash.digest('hex') })
  }
}

type CopiedFile = { key: string; mediaType: string }
/** Each content once: equal files of a company share it. */
async function listFilesToCopy(client: pg.PoolClient, { files }: Deps): Promise<CopiedFile[]> {
  const { rows } = await client.query<{ companyId: number; sha256: string; mediaType: string }>(
    'select company_id as "companyId", sha256, min(media_type) as "mediaType" from files group by 1, 2 order by 1, 2',
  )
  const named = rows.map((row) => ({ key: fileKey(row), mediaType: row.mediaType }))
  const beside = await Promise.all(EXTRA_FOLDERS.map((folder) => files.list(folder)))
  return [...named, ...beside.flat().map((key) => ({ key, mediaType: 'application/json' }))]
}

async function* writeFileSections(client: pg.PoolClient, deps: Deps, into: Manifest): AsyncGenerator<Uint8Array> {
  const absent: string[] = []
  for (const { key, mediaType } of await listFilesToCopy(client, deps)) {
    const content = await deps.files.stream(key)
    if (!content) {
      absent.push(key)
      continue
    }
    const count = createByteCounter()
    yield* writeSection({ kind: 'file', key, mediaType }, countBytes(content, count))
    into.files.count++
    into.files.bytes += count.bytes
  }
  // What was erased since the snapshot went with the record that named it: the others are lost, or are not looked for where they are.
  const recorded = new Set((await loadRecordedFiles(deps.aside, absent)).map(({ key }) => key))
  into.files.missing = absent.filter((key) => recorded.has(key))
  const erased = absent.filter((key) => !recorded.has(key))
  if (erased.length) into.files.erased = erased
}

async function startManifest(client: pg.PoolClient, { config }: Deps, name: string): Promise<Manifest> {
  const { rows } = await client.query<{ postgres: string; migrations: string[]; waiting: number }>(`
    select current_setting('server_version') as postgres,
           array(select created_at::text from drizzle.__drizzle_migrations order by created_at) as migrations,
           (select count(*)::int from jobs.job where state < 'completed' and name not like '\\_\\_pgboss%') as waiting`)
  const [row] = rows
  return {
    format: COPY_FORMAT,
    name,
    madeAt: new Date().toISOString(),
    version: RELEASE,
    postgres: row?.postgres ?? '',
    migrations: (row?.migrations ?? []).map(Number),
    secretPrint: computeSecretFingerprint(config.secretKey),
    tables: [],
    sequences: await listSequences(client),
    files: { count: 0, bytes: 0, missing: [] },
    waiting: row?.waiting ?? 0,
  }
}

async function* writeContent(view: Db, deps: Deps, name: string, done: (manifest: Manifest) => void) {
  const client = view.$client as pg.PoolClient // the one connection of the snapshot
  const manifest = await startManifest(client, deps, name)
  yield* writeTableSections(client, await listInstallationTables(client), manifest)
  yield* writeFileSections(client, deps, manifest)
  const text = Buffer.from(JSON.stringify(manifest))
  yield* writeSection({ kind: 'manifest' }, Readable.from([text]))
  done(manifest)
}

const ZSTD_OPTIONS = { chunkSize: CHUNK_BYTES, params: { [constants.ZSTD_c_compressionLevel]: 3 } }

/** Everything as of one moment, in one file of this machine; then where copies are kept, and its sheet last of all. */
export async function makeCopy(
  deps: Deps,
  signal?: AbortSignal,
  afterUpload = async () => {},
): Promise<SignedManifest> {
  const key = requireBackupKey(deps.config)
  await requireSpaceForCopy(deps)
  const existingKeys = new Set(await openCopyStore(deps.config).list(COPIES_PREFIX))
  const { name, draft } = await openCopyDraft(deps.config.dataDir, (one) => existingKeys.has(getCopyContentKey(one)))
  try {
    const { manifest, content } = await writeDraft(deps, name, draft, key, signal)
    const signedManifest = {
      manifest,
      content,
      mac: computeManifestMac(key, toSignedManifestText({ manifest, content })),
    }
    const place = openCopyStore(deps.config)
    await place.putFile(getCopyContentKey(name), draft, 'application/octet-stream')
    await afterUpload()
    await place.put(
      getCopyManifestKey(name),
      Buffer.from(`${JSON.stringify(signedManifest, null, 2)}\n`),
      'application/json',
    )
    return signedManifest
  } finally {
    await rm(draft, { force: true })
  }
}

async function writeDraft(deps: Deps, name: string, draft: string, key: string, signal: AbortSignal | undefined) {
  let manifest: Manifest | undefined
  const count = createByteCounter()
  const done = (whole: Manifest) => {
    manifest = whole
  }
  await readSnapshot(deps.db, (view) =>
    pipeline(
      writeContent(view, deps, name, done),
      createZstdCompress(ZSTD_OPTIONS),
      (source) => countBytes(encryptCopy(source, key), count),
      createWriteStream(draft, { mode: 0o600, flush: true }),
      { signal },
    ),
  )
  if (!manifest) throw new Error('the copy ended before its manifest')
  return { manifest, content: { bytes: count.bytes, hash: count.hash.digest('hex') } }
}

/** A draft that nobody has written to for so long belongs to a process that was killed: no copy may take longer. */
const ABANDONED_DRAFT_MS = 6 * 3_600_000

const buildCopyName = (at: Date) => `voisol-${at.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-')}`

/** What interrupted copies left behind; one that is being made beside this one stays. */
async function removeAbandonedDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const modifiedAt = await stat(path)
      .then(({ mtimeMs }) => mtimeMs)
      .catch(() => Number.POSITIVE_INFINITY)
    if (Date.now() - modifiedAt > ABANDONED_DRAFT_MS) await rm(path, { recursive: true, force: true })
  }
}

/**
 * An empty file named after this second; of two copies begun in the same one, the later takes the next, also where the
 * earlier is made already: it would take its place.
 */
async function openCopyDraft(
  dataDir: string,
  isTaken: (name: string) => boolean,
): Promise<{ name: string; draft: string }> {
  const folder = join(dataDir, 'copy-drafts')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeAbandonedDrafts(folder)
  for (;;) {
    const name = buildCopyName(new Date())
    const draft = join(folder, name)
    const file =
      !isTaken(name) &&
      (await open(draft, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      }))
    if (file) {
      await file.close()
      return { name, draft }
    }
    await sleep(1000 - (Date.now() % 1000))
  }
}

/** A copy is somewhat larger than the one before. */
const COPY_GROWTH = 1.2
/** A restored database takes its indexes and the journal of their making as well. */
const RESTORE_GROWTH = 1.5
/** What stays free beside: a full disk stops the service itself. */
const RESERVE_BYTES = 100_000_000

const formatSize = (bytes: number) =>
  bytes < 1e9
    ? `${formatFrenchNumber(Math.ceil(bytes / 1e6))}\u00a0Mo`
    : `${formatFrenchNumber(Math.ceil(bytes / 1e8) / 10)}\u00a0Go`

const loadDatabaseBytes = async ({ $client }: Db) =>
  (await $client.query<{ bytes: number }>('select pg_database_size(current_database())::float8 as bytes')).rows[0]
    ?.bytes ?? 0

/**
 * As large as the last that lacks no file; where there is none, as everything that is copied, since it is not known how
 * well that packs.
 */
async function estimateCopyBytes({ db, config }: Deps): Promise<number> {
  const last = (await listCopies(openCopyStore(config))).find(({ manifest }) => isCopyComplete(manifest))
  if (last) return last.content.bytes * COPY_GROWTH
  const { rows } = await db.$client.query<{ bytes: number }>(
    'select coalesce(sum(size), 0)::float8 as bytes from files',
  )
  return (await loadDatabaseBytes(db)) + (rows[0]?.bytes ?? 0)
}

function requireBytes(folder: string, what: string, needed: number, free: number): void {
  const requiredBytes = needed + RESERVE_BYTES
  if (free < requiredBytes)
    throw new CopyFault(
      `Pas assez de place pour ${what}\u00a0: il faut ${formatSize(requiredBytes)} libres sous ${folder}, il y en a ${formatSize(free)}. ` +
        'Libérez-en, agrandissez le disque, ou gardez moins de copies.',
    )
}

const findLocalCopiesFolder = (config: Config) => (config.BACKUP_S3_BUCKET ? undefined : getCopiesFolder(config))

/** Asked before a draft is begun: it is written whole on this machine, then once more where copies are kept. */
async function requireSpaceForCopy(deps: Deps): Promise<void> {
  const { config, room } = deps
  const needed = await estimateCopyBytes(deps)
  const place = findLocalCopiesFolder(config)
  const draft = await room.freeSpace(config.dataDir)
  const storeSpace = place ? await room.freeSpace(place) : undefined
  const shared = storeSpace?.device === draft.device
  requireBytes(config.dataDir, 'le brouillon d’une copie', shared ? 2 * needed : needed, draft.bytes)
  if (place && storeSpace && !shared) requireBytes(place, 'une copie', needed, storeSpace.bytes)
}

/** Asked before a copy is restored to try it: a database of its own, as large as the one in service. */
export async function requireSpaceForRestoreTest({ db, config, room }: Deps): Promise<void> {
  const { bytes } = await room.freeSpace(config.dataDir)
  requireBytes(config.dataDir, 'un essai de restauration', (await loadDatabaseBytes(db)) * RESTORE_GROWTH, bytes)
}

const escapeName = pg.escapeIdentifier
type InstallationTable = { name: string; columns: string[] }
type Client = { query: pg.ClientBase['query'] }

/** Every table of the installation, with the columns that are its own to keep: others follow from them. */
export async function listInstallationTables(client: Client): Promise<InstallationTable[]> {
  const { rows } = await client.query<InstallationTable>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attgenerated = ''
     group by c.relname order by c.relname`)
  return rows
}

/** As the database keeps them: packed days pass through as they are. */
const buildCopyOutQuery = ({ name: table, columns }: InstallationTable) =>
  `copy (select ${columns.map(escapeName).join()} from ${escapeName(table)}) to stdout (format binary)`
export const buildCopyInQuery = ({ name: table, columns }: InstallationTable) =>
  `copy ${escapeName(table)} (${columns.map(escapeName).join()}) from stdin (format binary)`

/** Where the numbers that the database gives have come to. */
async function listSequences(client: Client): Promise<{ name: string; value: number }[]> {
  const { rows } = await client.query<{ name: string; value: string }>(`
    select sequencename as name, last_value as value from pg_sequences
     where schemaname = 'public' and last_value is not null order by 1`)
  return rows.map((row) => ({ name: row.name, value: Number(row.value) }))
}

export const setSequence = (client: Client, sequence: string, value: number) =>
  client.query('select setval($1::regclass, $2)', [`public.${escapeName(sequence)}`, value])

type ForeignKey = { table: string; name: string; definition: string }

/** What links tables is taken off and put back once all rows are there, which checks every one of them. */
export async function withoutForeignKeys(client: Client, work: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<ForeignKey>(`
    select r.relname as table, c.conname as name, pg_get_constraintdef(c.oid) as definition
      from pg_constraint c join pg_class r on r.oid = c.conrelid
     where c.contype = 'f' and c.conparentid = 0 and c.connamespace = 'public'::regnamespace`)
  const alterAll = (change: (link: ForeignKey) => string) =>
    client.query(rows.map((link) => `alter table ${escapeName(link.table)} ${change(link)}`).join(';\n'))
  await alterAll((link) => `drop constraint ${escapeName(link.name)}`)
  await work()
  await alterAll((link) => `add constraint ${escapeName(link.name)} ${link.definition}`)
}
