import { type FileHandle, mkdir, open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import type { DataBatch, DataSetColumn } from './data-set.ts'
import { PARQUET_MAGIC, shiftGroup } from './encode-parquet.ts'
import type { EncodedPart } from './encode-task.ts'
import { formatCsvHead } from './encode-text.ts'
import { type ExportOrder, toDataSetQuery } from './order.ts'
import { listTransferables } from './packed.ts'
import { DATA_SET_SOURCES } from './table.ts'

/** The checkpoint from which an interrupted export resumes. */
export type ExportProgress = { cursor: string; bytes: number; rows: number }
export const NO_PROGRESS: ExportProgress = { cursor: '', bytes: 0, rows: 0 }
export type WriteDraftInput = {
  deps: Pick<Deps, 'db' | 'compute'>
  actor: Actor
  order: ExportOrder
  folder: string
  signal?: AbortSignal | undefined
  /** Called when a part is on disk; returns false when the export was cancelled. */
  save(progress: ExportProgress): Promise<boolean>
}

export const getDraftPath = (folder: string) => join(folder, 'draft')
const getGroupsPath = (folder: string) => join(folder, 'groups')

const buildFileHead = (columns: DataSetColumn[], { format, dialect }: ExportOrder): Buffer => {
  if (format === 'parquet') return PARQUET_MAGIC
  if (format === 'csv') return Buffer.from(formatCsvHead(columns, dialect))
  return Buffer.from(format === 'json' ? '[' : '')
}

type DraftFiles = { draft: FileHandle; groups: FileHandle }
async function openDraftFiles(folder: string): Promise<DraftFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const [draft, groups] = await Promise.all([
    open(getDraftPath(folder), 'a+', 0o600),
    open(getGroupsPath(folder), 'a+', 0o600),
  ])
  return { draft, groups }
}

/** A record describes one row group: its place in the draft, its length and its metadata. */
const RECORD_HEAD_BYTES = 12
function encodeRecord(place: number, about: Uint8Array): Buffer {
  const head = Buffer.alloc(RECORD_HEAD_BYTES)
  head.writeDoubleLE(place, 0)
  head.writeUInt32LE(about.length, 8)
  return Buffer.concat([head, about])
}
function* readRecords(bytes: Buffer): Generator<{ place: number; about: Buffer; end: number }> {
  for (let at = 0; at + RECORD_HEAD_BYTES <= bytes.length; ) {
    const end = at + RECORD_HEAD_BYTES + bytes.readUInt32LE(at + 8)
    if (end > bytes.length) return
    yield { place: bytes.readDoubleLE(at), about: bytes.subarray(at + RECORD_HEAD_BYTES, end), end }
    at = end
  }
}

export async function loadGroups(folder: string) {
  const bytes = await readFile(getGroupsPath(folder))
  return Array.from(readRecords(bytes), ({ place, about }) => shiftGroup(about, place))
}

/** Truncates the draft to the last checkpoint; when the file is shorter than the checkpoint, it starts again. */
async function resumeDraft(
  { draft, groups }: DraftFiles,
  folder: string,
  progress: ExportProgress,
): Promise<ExportProgress> {
  const { size } = await stat(getDraftPath(folder))
  const from = size >= progress.bytes ? progress : NO_PROGRESS
  const keptRecords = [...readRecords(await readFile(getGroupsPath(folder)))].filter(({ place }) => place < from.bytes)
  await draft.truncate(from.bytes)
  await groups.truncate(keptRecords.at(-1)?.end ?? 0)
  return from
}

const encodeBatch = (
  { deps, actor, order }: WriteDraftInput,
  columns: DataSetColumn[],
  { data }: DataBatch,
  further: boolean,
) =>
  deps.compute(
    'exports.encode',
    { columns, data, format: order.format, dialect: order.dialect, further },
    { companyId: actor.companyId, moved: listTransferables(data), patient: true },
  )

async function appendPart(
  { draft, groups }: DraftFiles,
  place: number,
  { bytes, about }: EncodedPart,
): Promise<number> {
  // The row group is recorded before the checkpoint: without one it is truncated with its part.
  if (about) await groups.appendFile(encodeRecord(place, about))
  await draft.appendFile(bytes)
  if (about) await groups.datasync()
  await draft.datasync()
  return bytes.length
}

/**
 * Writes rows to the draft, part by part: only one part is in memory, and parts already on disk are not written again.
 */
export async function writeExportDraft(
  writing: WriteDraftInput,
  before: ExportProgress,
): Promise<ExportProgress | undefined> {
  const { deps, actor, order, folder, signal, save } = writing
  const { columns, read } = DATA_SET_SOURCES[order.dataSet]
  const files = await openDraftFiles(folder)
  try {
    let progress = await resumeDraft(files, folder, before)
    if (progress.bytes === 0) {
      const head = buildFileHead(columns, order)
      await files.draft.appendFile(head)
      progress = { ...progress, bytes: head.length }
    }
    for await (const batch of read(toDataSetQuery(deps.db, actor, order), progress.cursor)) {
      signal?.throwIfAborted()
      const bytes = await appendPart(
        files,
        progress.bytes,
        await encodeBatch(writing, columns, batch, progress.rows > 0),
      )
      progress = { cursor: batch.cursor, bytes: progress.bytes + bytes, rows: progress.rows + batch.size }
      if (!(await save(progress))) return undefined
    }
    return progress
  } finally {
    await files.draft.close()
    await files.groups.close()
  }
}
