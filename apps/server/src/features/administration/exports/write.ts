import { type FileHandle, mkdir, open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import type { Batch, Column } from './data-set.ts'
import { MAGIC, shifted } from './encode-parquet.ts'
import type { Encoded } from './encode-task.ts'
import { csvHead } from './encode-text.ts'
import { askingOf, type Order } from './order.ts'
import { movedBy } from './packed.ts'
import { SOURCES } from './table.ts'

/** How far it has come: whoever takes it up goes on from there. */
export type Progress = { cursor: string; bytes: number; rows: number }
export const NOTHING: Progress = { cursor: '', bytes: 0, rows: 0 }
export type Writing = {
  deps: Pick<Deps, 'db' | 'compute'>
  actor: Actor
  order: Order
  folder: string
  signal?: AbortSignal | undefined
  /** Called when a part is on the disk; false where it is no longer wanted. */
  save(progress: Progress): Promise<boolean>
}

export const draftOf = (folder: string) => join(folder, 'draft')
const groupsOf = (folder: string) => join(folder, 'groups')

const headOf = (columns: Column[], { format, dialect }: Order): Buffer => {
  if (format === 'parquet') return MAGIC
  if (format === 'csv') return Buffer.from(csvHead(columns, dialect))
  return Buffer.from(format === 'json' ? '[' : '')
}

type Files = { draft: FileHandle; groups: FileHandle }
async function opened(folder: string): Promise<Files> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const [draft, groups] = await Promise.all([open(draftOf(folder), 'a+', 0o600), open(groupsOf(folder), 'a+', 0o600)])
  return { draft, groups }
}

/** A record of the groups: where it stands in the draft, how long it is, what it says. */
const RECORD = 12
function recordOf(place: number, about: Uint8Array): Buffer {
  const head = Buffer.alloc(RECORD)
  head.writeDoubleLE(place, 0)
  head.writeUInt32LE(about.length, 8)
  return Buffer.concat([head, about])
}
function* records(bytes: Buffer): Generator<{ place: number; about: Buffer; end: number }> {
  for (let at = 0; at + RECORD <= bytes.length; ) {
    const end = at + RECORD + bytes.readUInt32LE(at + 8)
    if (end > bytes.length) return
    yield { place: bytes.readDoubleLE(at), about: bytes.subarray(at + RECORD, end), end }
    at = end
  }
}

export async function groupsIn(folder: string) {
  const bytes = await readFile(groupsOf(folder))
  return Array.from(records(bytes), ({ place, about }) => shifted(about, place))
}

/** What was written after the last word on it is cut off; where less is there than was said, all begins again. */
async function resumed({ draft, groups }: Files, folder: string, progress: Progress): Promise<Progress> {
  const { size } = await stat(draftOf(folder))
  const from = size >= progress.bytes ? progress : NOTHING
  const kept = [...records(await readFile(groupsOf(folder)))].filter(({ place }) => place < from.bytes)
  await draft.truncate(from.bytes)
  await groups.truncate(kept.at(-1)?.end ?? 0)
  return from
}

const encoded = ({ deps, actor, order }: Writing, columns: Column[], { data }: Batch, further: boolean) =>
  deps.compute(
    'exports.encode',
    { columns, data, format: order.format, dialect: order.dialect, further },
    { companyId: actor.companyId, moved: movedBy(data), patient: true },
  )

async function append({ draft, groups }: Files, place: number, { bytes, about }: Encoded): Promise<number> {
  // The group is named before it counts: a part that is not saved is cut off with it.
  if (about) await groups.appendFile(recordOf(place, about))
  await draft.appendFile(bytes)
  if (about) await groups.datasync()
  await draft.datasync()
  return bytes.length
}

/** Rows to a draft, part by part: no more than one of them is in memory, and what is on the disk is not written twice. */
export async function writeDraft(writing: Writing, before: Progress): Promise<Progress | undefined> {
  const { deps, actor, order, folder, signal, save } = writing
  const { columns, read } = SOURCES[order.dataSet]
  const files = await opened(folder)
  try {
    let progress = await resumed(files, folder, before)
    if (progress.bytes === 0) {
      const head = headOf(columns, order)
      await files.draft.appendFile(head)
      progress = { ...progress, bytes: head.length }
    }
    for await (const batch of read(askingOf(deps.db, actor, order), progress.cursor)) {
      signal?.throwIfAborted()
      const bytes = await append(files, progress.bytes, await encoded(writing, columns, batch, progress.rows > 0))
      progress = { cursor: batch.cursor, bytes: progress.bytes + bytes, rows: progress.rows + batch.size }
      if (!(await save(progress))) return undefined
    }
    return progress
  } finally {
    await files.draft.close()
    await files.groups.close()
  }
}
