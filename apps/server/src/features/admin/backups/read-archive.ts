import { createHash } from 'node:crypto'
import type { ArchivePreview } from '@voisol/contract/backups'
import { formatCount } from '@voisol/file-formats/french'
import {
  type ArchiveRow,
  COMPANY_ARCHIVE,
  EXCLUDED_TABLES,
  findExclusion,
  ISSUED,
  ISSUED_LABELS,
  importOrder,
} from '../../../db/schema/company-archive/company-archive.ts'
import { getToday } from '../../../today.ts'
import { BATCH_BYTES, getMaxUnpackedBytes, MAX_FILE_BYTES, MAX_ONE_FILE_BYTES } from './archive-format.ts'
import { createArchiveRules } from './archive-rules.ts'
import { CopyFault } from './copy-format.ts'
import { type OpenArchive, openArchive, type TrustedKey } from './open-archive.ts'
import {
  createLineReader,
  createRowParser,
  type ImportedAccounts,
  type KnownIds,
  readImportedAccounts,
  refuseLine,
} from './parse-archive.ts'

/** Rows ready to be written: JSON lists of one table, each no longer than the database is given at once. */
export type TableBatches = { table: string; columns: string[]; rows: number; batches: Uint8Array<ArrayBuffer>[] }
export type FileContent = { sha256: string; content: Uint8Array<ArrayBuffer> }
export type ReadArchive = {
  preview: ArchivePreview
  tables: TableBatches[]
  files: FileContent[]
  accounts: ImportedAccounts
  /** What a plan counts: points whose place begins or goes on. */
  pointsInUse: number
}
export type ReadOptions = {
  trusted: TrustedKey[]
  /** Whether the rows and contents themselves are wanted, and not only what there is. */
  keep: boolean
}
type FileRow = { id: string; sha256: string; size: number; name: string }

const UNTRUSTED =
  'L’archive ne porte pas la signature d’une installation de confiance\u00a0: seules les données qu’un import de fichier apporterait sont reprises.'
const NO_ACCOUNTS: ImportedAccounts = { documents: [], balances: [], skippedDocuments: 0 }
const encoder = new TextEncoder()

function createBatches(table: string, keep: boolean) {
  const done: TableBatches = { table, columns: [], rows: 0, batches: [] }
  let lines: string[] = []
  let size = 0
  const flush = () => {
    if (lines.length) done.batches.push(encoder.encode(`[${lines.join()}]`))
    lines = []
    size = 0
  }
  return {
    add(row: ArchiveRow) {
      if (!done.rows++) done.columns = Object.keys(row)
      if (!keep) return
      const text = JSON.stringify(row)
      lines.push(text)
      size += text.length
      if (size > BATCH_BYTES) flush()
    },
    end() {
      flush()
      return done
    },
  }
}

/** The contents of the files that something brought names, each under the hash it announces. */
function readContents(archive: OpenArchive, rows: FileRow[], keep: boolean) {
  const contents = new Map<string, FileContent>()
  let total = 0
  const maxBytes = getMaxUnpackedBytes(archive.bytes, MAX_FILE_BYTES)
  for (const { sha256, name, size } of rows) {
    if (contents.has(sha256)) continue
    const entry = archive.content(sha256)
    if (!entry) throw new CopyFault(`Le contenu du fichier ${name} manque à l’archive\u00a0: rien n’a été repris.`)
    const content = archive.unpack(entry, MAX_ONE_FILE_BYTES)
    total += content.length
    if (total > maxBytes)
      throw new CopyFault('Les fichiers de l’archive sont trop volumineux\u00a0: rien n’a été repris.')
    if (content.length !== size || createHash('sha256').update(content).digest('hex') !== sha256)
      throw new CopyFault(`Le fichier ${entry.name} n’a pas le contenu que son nom annonce\u00a0: rien n’a été repris.`)
    contents.set(sha256, { sha256, content: keep ? new Uint8Array(content) : new Uint8Array() })
  }
  return { contents: [...contents.values()], bytes: total }
}

function readTables(archive: OpenArchive, keep: boolean) {
  const known: KnownIds = new Map()
  const day = getToday()
  const readLines = createLineReader(archive)
  const files = new Map<string, FileRow>()
  const referencedFileIds = new Set<string>()
  const pointsInUse = new Set<unknown>()
  let superseded = 0
  const rules = createArchiveRules()
  const tables: TableBatches[] = []
  for (const name of importOrder()) {
    const table = COMPANY_ARCHIVE[name]
    if (!table || (table.from === 'trusted' && archive.signedBy === null)) continue
    const ids = new Set<string>()
    known.set(name, ids)
    const parse = createRowParser(table, known, archive.signedBy !== null)
    const batches = createBatches(name, keep)
    for (const line of readLines(name, table.maxRows)) {
      const row = parse(line)
      if (!row) {
        superseded++
        continue
      }
      rules.add(name, row, { file: line.file, number: line.number })
      if (typeof row.id === 'string') ids.add(row.id)
      if (typeof row.file_id === 'string') referencedFileIds.add(row.file_id)
      if (name === 'participations' && (row.ends_on === null || String(row.ends_on) > day))
        pointsInUse.add(row.point_id)
      if (name === 'files')
        files.set(String(row.id), row as FileRow) // parsed as one
      else batches.add(row)
    }
    if (name !== 'files') tables.push(batches.end())
  }
  const fault = rules.findFault()
  if (fault) refuseLine(fault.place, fault.sentence)
  const batches = createBatches('files', keep)
  const rows = [...referencedFileIds].flatMap((id) => files.get(id) ?? [])
  for (const row of rows) batches.add(row)
  const { contents, bytes } = readContents(archive, rows, keep)
  const accounts = archive.signedBy === null ? NO_ACCOUNTS : readImportedAccounts(readLines, known)
  const skipped = { unnamedFiles: files.size - rows.length, superseded }
  return { tables: [batches.end(), ...tables], contents, bytes, accounts, skipped, pointsInUse: pointsInUse.size }
}

/** How many rows of these tables are not imported; null where the archive does not say. */
function countSkippedRows(archive: OpenArchive, tables: string[]): number | null {
  const counts = tables.flatMap((table) => archive.parts(table).map(({ name }) => archive.digests[name]?.rows))
  return counts.some((rows) => rows === undefined) ? null : counts.reduce<number>((sum, rows) => sum + (rows ?? 0), 0)
}

function listSkipped(archive: OpenArchive): ArchivePreview['left'] {
  const has = (table: string) => archive.tables.includes(table)
  const unsigned = archive.signedBy === null
  const trustedOnly = unsigned
    ? [
        ...Object.entries(COMPANY_ARCHIVE).filter(([, { from }]) => from === 'trusted'),
        ...Object.entries(ISSUED_LABELS).map(([name, label]) => [name, { label }] as const),
      ]
    : []
  const unknown = archive.tables.filter(
    (table) => !(table in COMPANY_ARCHIVE) && !(table in ISSUED) && !findExclusion(table),
  )
  return [
    ...trustedOnly
      .filter(([name]) => has(name))
      .map(([name, { label }]) => ({ label, rows: countSkippedRows(archive, [name]), why: UNTRUSTED })),
    ...EXCLUDED_TABLES.filter(({ tables }) => tables.some(has)).map(({ label, why, whyUntrusted, tables }) => ({
      label,
      rows: countSkippedRows(archive, tables.filter(has)),
      why: unsigned ? (whyUntrusted ?? why) : why,
    })),
    ...(unknown.length
      ? [
          {
            label: 'Autres tables',
            rows: countSkippedRows(archive, unknown),
            why: 'Cette version de Voisol ne les connaît pas.',
          },
        ]
      : []),
  ]
}

/** What people look for first in a company; whatever else comes in follows, in the order in which it is written. */
const MAIN_TABLES = ['operations', 'participants', 'points', 'curve_days', 'invoices', 'projects', 'sellers', 'buyers']
function rankOf(table: string): number {
  const place = MAIN_TABLES.indexOf(table)
  return place < 0 ? MAIN_TABLES.length : place
}

function listImported(tables: TableBatches[], { documents }: ImportedAccounts): ArchivePreview['taken'] {
  const written = tables.map(({ table, rows }) => ({ table, label: COMPANY_ARCHIVE[table]?.label ?? table, rows }))
  return [...written, { table: 'invoices', label: 'Factures reprises', rows: documents.length }]
    .filter(({ rows }) => rows > 0)
    .sort((a, b) => rankOf(a.table) - rankOf(b.table))
    .map(({ label, rows }) => ({ label, rows }))
}

type SkippedRows = { unnamedFiles: number; superseded: number }
function listRemarks(
  { documents, balances, skippedDocuments }: ImportedAccounts,
  { unnamedFiles, superseded }: SkippedRows,
): string[] {
  const open = documents.filter((document) => document.open > 0).length
  return [
    documents.length &&
      `${formatCount(documents.length, 'facture est reprise', 'factures sont reprises')} pour mémoire, sans être ${documents.length > 1 ? 'émises' : 'émise'} de nouveau.`,
    open &&
      `${formatCount(open, 'document est repris', 'documents sont repris')} avec ce qu’il en reste à payer (solde à nouveau).`,
    balances.length &&
      `${formatCount(balances.length, 'avance ou solde est repris', 'avances ou soldes sont repris')} sans document.`,
    skippedDocuments &&
      `${formatCount(skippedDocuments, 'document', 'documents')} sans opération ou sans acheteur, ou sans montant à payer, ${skippedDocuments > 1 ? 'restent' : 'reste'} dans l’archive.`,
    unnamedFiles &&
      `${formatCount(unnamedFiles, 'fichier sans lien avec les données reprises reste', 'fichiers sans lien avec les données reprises restent')} dans l’archive.`,
    superseded &&
      `${formatCount(superseded, 'journée de courbe remplacée depuis reste', 'journées de courbe remplacées depuis restent')} dans l’archive.`,
  ].filter((remark) => typeof remark === 'string')
}

/** All that an archive would bring, every row held against its contract; the first fault refuses the whole. */
export function readCompanyArchive(zip: Buffer, { trusted, keep }: ReadOptions): ReadArchive {
  const archive = openArchive(zip, trusted)
  const { tables, contents, bytes, accounts, skipped, pointsInUse } = readTables(archive, keep)
  const { company, madeOn, version, signedBy } = archive
  const preview = {
    company,
    madeOn,
    version,
    signedBy,
    taken: listImported(tables, accounts),
    left: listSkipped(archive),
    files: contents.length,
    fileBytes: bytes,
    remarks: listRemarks(accounts, skipped),
  }
  return { preview, tables, files: keep ? contents : [], accounts: keep ? accounts : NO_ACCOUNTS, pointsInUse }
}
