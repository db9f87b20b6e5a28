import { createReadStream, createWriteStream } from 'node:fs'
import { appendFile, type FileHandle, mkdir, open, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { DATA_SETS } from '@voisol/contract/data-sets'
import { writeXlsx, writeXlsxStream } from 'hucre/xlsx'
import type { Deps } from '../../../deps.ts'
import { formatCsvCell, RFC4180_CSV, writeCsv } from '../../../files/csv.ts'
import { writeZipFile } from '../../../files/zip.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import type { DataBatch, DataSetColumn } from './data-set.ts'
import { DATA_SET_SOURCES } from './data-set-sources.ts'
import { formatCsvHead } from './encode-csv-and-json.ts'
import { buildParquetFooter, PARQUET_MAGIC, shiftGroup } from './encode-parquet.ts'
import type { EncodedPart } from './encode-task.ts'
import { type ExportOrder, getFileStem, toDataSetQuery } from './export-order.ts'
import { listTransferables } from './packed-days.ts'

/** The checkpoint from which an interrupted export resumes. */
export type ExportProgress = { cursor: string; bytes: number; rows: number }
export const NO_PROGRESS: ExportProgress = { cursor: '', bytes: 0, rows: 0 }
type WriteDraftInput = {
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

async function loadGroups(folder: string) {
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

const FILE_ENDINGS = { csv: '', jsonl: '', json: '\n]\n' }
/** Yields to other requests in between. */
const ROWS_PER_TURN = 500

type SheetRow = (string | number | null)[]
/** The data rows, then the data dictionary on a sheet of its own. */
async function* streamSheetRows(order: ExportOrder, draft: string): AsyncGenerator<SheetRow> {
  yield DATA_SET_SOURCES[order.dataSet].columns.map(({ name }) => name)
  let row = 0
  for await (const line of createInterface({ input: createReadStream(draft) })) {
    yield JSON.parse(line) as SheetRow // written by formatRowLines
    if (++row % ROWS_PER_TURN === 0) await setImmediate()
  }
  yield* buildDictionaryRows(order)
}

/** Small enough to be built in memory, with a sheet of its own for the dictionary. */
const MAX_IN_MEMORY_ROWS = 20_000

async function writeWorkbook(order: ExportOrder, rows: number, draft: string, path: string) {
  const name = DATA_SETS[order.dataSet].label.split(',')[0]?.slice(0, 28) ?? order.dataSet
  const freezePane = { rows: 1 }
  if (rows <= MAX_IN_MEMORY_ROWS) {
    const lines = await Array.fromAsync(streamSheetRows(order, draft))
    const about = lines.splice(rows + 1)
    const sheets = [
      { name, rows: lines, freezePane },
      { name: 'Dictionnaire', rows: about, freezePane },
    ]
    return writeFile(path, await writeXlsx({ sheets }), { mode: 0o600 })
  }
  // The sheet is full after the last row, so that the dictionary begins the next one.
  const sheet = { name, freezePane, maxRowsPerSheet: rows + 1, repeatHeaders: false }
  const content = writeXlsxStream(streamSheetRows(order, draft), sheet)
  await pipeline(Readable.from(content), createWriteStream(path, { mode: 0o600 }))
}

/** Turns a draft into the final file with its dictionary, and returns its path. Repeating it gives the same file. */
export async function finishExportFile(order: ExportOrder, rows: number, folder: string): Promise<string> {
  const draft = getDraftPath(folder)
  const path = join(folder, 'whole')
  if (order.format === 'xlsx') {
    await writeWorkbook(order, rows, draft, path)
    return path
  }
  if (order.format === 'parquet') {
    await appendFile(
      draft,
      buildParquetFooter(DATA_SET_SOURCES[order.dataSet].columns, await loadGroups(folder), buildDictionaryJson(order)),
    )
    return draft
  }
  await appendFile(draft, FILE_ENDINGS[order.format])
  const on = getToday()
  const stem = getFileStem(order)
  await writeZipFile(path, [
    { name: 'LISEZMOI.txt', text: buildExportReadme(order, rows), on },
    { name: `${stem}.dictionary.csv`, text: buildDictionaryCsv(order), on },
    { name: `${stem}.${order.format}`, path: draft, on },
  ])
  return path
}

const HEADER = ['colonne', 'type', 'unité', 'sens']
const TYPE_LABELS = {
  text: 'texte',
  integer: 'entier',
  integer32: 'entier',
  number: 'nombre',
  day: 'jour',
  instant: 'moment',
}

const buildDictionaryRows = ({ dataSet }: ExportOrder): string[][] => [
  HEADER,
  ...DATA_SET_SOURCES[dataSet].columns.map(({ name, type, unit, about }) => [name, TYPE_LABELS[type], unit, about]),
]

function buildDictionaryCsv(order: ExportOrder): string {
  const [header = [], ...rows] = buildDictionaryRows(order)
  if (order.dialect === 'french') return writeCsv(header, rows)
  return [header, ...rows].map((row) => `${row.map((cell) => formatCsvCell(cell, RFC4180_CSV)).join(',')}\r\n`).join('')
}

export const buildDictionaryJson = (order: ExportOrder): string =>
  JSON.stringify({
    dataSet: order.dataSet,
    label: DATA_SETS[order.dataSet].label,
    about: DATA_SET_SOURCES[order.dataSet].about,
    columns: DATA_SET_SOURCES[order.dataSet].columns,
  })

/** The README of the archive, for somebody who opens it years later. */
function buildExportReadme(order: ExportOrder, rows: number): string {
  const { label } = DATA_SETS[order.dataSet]
  const period = order.from && order.to ? `Du ${order.from} au ${order.to}, ce dernier jour exclu.\r\n` : ''
  return [
    `${label}\r\n\r\n${DATA_SET_SOURCES[order.dataSet].about}\r\n${period}`,
    `${rows.toLocaleString('fr-FR')} lignes, exportées par Voisol le ${getToday()}.\r\n\r\n`,
    'Les jours sont ceux de Paris, les moments sont en temps universel (UTC). Une case vide est une absence, jamais un zéro.\r\n',
    'Le fichier .dictionary.csv dit le sens et l’unité de chaque colonne.\r\n',
  ].join('')
}
