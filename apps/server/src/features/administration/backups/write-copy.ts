import { createHash, type Hash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { keyOf as fileKey } from '../../../core/kept-files.ts'
import type { Db } from '../../../db/client.ts'
import { snapshot } from '../../../db/snapshot.ts'
import type { Deps } from '../../../deps.ts'
import { RELEASE } from '../../../version.ts'
import { CHUNK } from './byte-reader.ts'
import { requireSpaceForCopy } from './disk-space.ts'
import { openDraft } from './draft.ts'
import { FORMAT, type Manifest, type Sheet, signedText } from './manifest.ts'
import { loadRecordedFiles } from './missing-files.ts'
import { contentKey, FOLDER, keyOf, placeOf, sheetKey } from './place.ts'
import { macOf, printOf, seal } from './sealing.ts'
import { writeSection } from './sections.ts'
import { copyOut, readSequences, readTables, type Table } from './tables.ts'

/** What stands in the store beside the files that records name. */
const KEPT_FOLDERS = ['audit-heads']

type Counted = { bytes: number; hash: Hash }
async function* counted(source: AsyncIterable<Uint8Array>, into: Counted): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    into.bytes += piece.length
    into.hash.update(piece)
    yield piece
  }
}
const counter = (): Counted => ({ bytes: 0, hash: createHash('sha256') })

async function* tableSections(client: pg.PoolClient, tables: Table[], into: Manifest): AsyncGenerator<Uint8Array> {
  for (const table of tables) {
    const rows = client.query(copyTo(copyOut(table)))
    const count = counter()
    let fault: unknown
    try {
      yield* writeSection({ kind: 'table', ...table }, counted(rows.iterator({ destroyOnReturn: false }), count))
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

type Kept = { key: string; mediaType: string }
/** Each content once: equal files of a company share it. */
async function keptFiles(client: pg.PoolClient, { files }: Deps): Promise<Kept[]> {
  const { rows } = await client.query<{ companyId: number; sha256: string; mediaType: string }>(
    'select company_id as "companyId", sha256, min(media_type) as "mediaType" from files group by 1, 2 order by 1, 2',
  )
  const named = rows.map((row) => ({ key: fileKey(row), mediaType: row.mediaType }))
  const beside = await Promise.all(KEPT_FOLDERS.map((folder) => files.list(folder)))
  return [...named, ...beside.flat().map((key) => ({ key, mediaType: 'application/json' }))]
}

async function* fileSections(client: pg.PoolClient, deps: Deps, into: Manifest): AsyncGenerator<Uint8Array> {
  const absent: string[] = []
  for (const { key, mediaType } of await keptFiles(client, deps)) {
    const content = await deps.files.stream(key)
    if (!content) {
      absent.push(key)
      continue
    }
    const count = counter()
    yield* writeSection({ kind: 'file', key, mediaType }, counted(content, count))
    into.files.count++
    into.files.bytes += count.bytes
  }
  // What was erased since the snapshot went with the record that named it: the others are lost, or are not looked for where they are.
  const recorded = new Set((await loadRecordedFiles(deps.aside, absent)).map(({ key }) => key))
  into.files.missing = absent.filter((key) => recorded.has(key))
  const erased = absent.filter((key) => !recorded.has(key))
  if (erased.length) into.files.erased = erased
}

async function begin(client: pg.PoolClient, { config }: Deps, name: string): Promise<Manifest> {
  const { rows } = await client.query<{ postgres: string; migrations: string[]; waiting: number }>(`
    select current_setting('server_version') as postgres,
           array(select created_at::text from drizzle.__drizzle_migrations order by created_at) as migrations,
           (select count(*)::int from jobs.job where state < 'completed' and name not like '\\_\\_pgboss%') as waiting`)
  const [row] = rows
  return {
    format: FORMAT,
    name,
    madeAt: new Date().toISOString(),
    version: RELEASE,
    postgres: row?.postgres ?? '',
    migrations: (row?.migrations ?? []).map(Number),
    secretPrint: printOf(config.secretKey),
    tables: [],
    sequences: await readSequences(client),
    files: { count: 0, bytes: 0, missing: [] },
    waiting: row?.waiting ?? 0,
  }
}

async function* contentOf(view: Db, deps: Deps, name: string, done: (manifest: Manifest) => void) {
  const client = view.$client as pg.PoolClient // the one connection of the snapshot
  const manifest = await begin(client, deps, name)
  yield* tableSections(client, await readTables(client), manifest)
  yield* fileSections(client, deps, manifest)
  const text = Buffer.from(JSON.stringify(manifest))
  yield* writeSection({ kind: 'manifest' }, Readable.from([text]))
  done(manifest)
}

const LEVEL = { chunkSize: CHUNK, params: { [constants.ZSTD_c_compressionLevel]: 3 } }

/** Everything as of one moment, in one file of this machine; then where copies are kept, and its sheet last of all. */
export async function makeCopy(deps: Deps, signal?: AbortSignal, placed = async () => {}): Promise<Sheet> {
  const key = keyOf(deps.config)
  await requireSpaceForCopy(deps)
  const made = new Set(await placeOf(deps.config).list(FOLDER))
  const { name, draft } = await openDraft(deps.config.dataDir, (one) => made.has(contentKey(one)))
  try {
    const { manifest, content } = await writeDraft(deps, name, draft, key, signal)
    const sheet = { manifest, content, mac: macOf(key, signedText({ manifest, content })) }
    const place = placeOf(deps.config)
    await place.putFile(contentKey(name), draft, 'application/octet-stream')
    await placed()
    await place.put(sheetKey(name), Buffer.from(`${JSON.stringify(sheet, null, 2)}\n`), 'application/json')
    return sheet
  } finally {
    await rm(draft, { force: true })
  }
}

async function writeDraft(deps: Deps, name: string, draft: string, key: string, signal: AbortSignal | undefined) {
  let manifest: Manifest | undefined
  const count = counter()
  const done = (whole: Manifest) => {
    manifest = whole
  }
  await snapshot(deps.db, (view) =>
    pipeline(
      contentOf(view, deps, name, done),
      createZstdCompress(LEVEL),
      (source) => counted(seal(source, key), count),
      createWriteStream(draft, { mode: 0o600, flush: true }),
      { signal },
    ),
  )
  if (!manifest) throw new Error('the copy ended before its manifest')
  return { manifest, content: { bytes: count.bytes, hash: count.hash.digest('hex') } }
}
