import { createHash, type Hash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { getFileKey as fileKey } from '../../../core/kept-files.ts'
import type { Db } from '../../../db/client.ts'
import { readSnapshot } from '../../../db/snapshot.ts'
import type { Deps } from '../../../deps.ts'
import { RELEASE } from '../../../version.ts'
import { CHUNK_BYTES } from './byte-reader.ts'
import { requireSpaceForCopy } from './disk-space.ts'
import { openCopyDraft } from './draft.ts'
import { COPY_FORMAT, type Manifest, type SignedManifest, toSignedManifestText } from './manifest.ts'
import { loadRecordedFiles } from './missing-files.ts'
import { COPIES_PREFIX, getCopyContentKey, getCopyManifestKey, openCopyStore, requireBackupKey } from './place.ts'
import { computeManifestMac, computeSecretFingerprint, encryptCopy } from './sealing.ts'
import { writeSection } from './sections.ts'
import { buildCopyOutQuery, type InstallationTable, listInstallationTables, listSequences } from './tables.ts'

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
