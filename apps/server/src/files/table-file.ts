import type { FileReply } from '@voisol/contract/endpoint'
import { fieldError } from '../http/errors.ts'
import { buildDatedFileName } from '../http/response-text.ts'
import {
  type CsvLine,
  createTooManyColumnsError,
  MAX_TABLE_COLUMNS,
  readCsv,
  type SpreadsheetCell,
  writeCsv,
} from './csv.ts'
import { isXlsx, readXlsx, writeXlsx, XLSX_TYPE } from './xlsx.ts'

/** A table to take away, as a French spreadsheet opens it or as a workbook. */
export async function buildTableFile(
  name: string,
  format: 'csv' | 'xlsx',
  header: string[],
  rows: SpreadsheetCell[][],
): Promise<FileReply> {
  if (format === 'csv')
    return { name: buildDatedFileName(name, 'csv'), type: 'text/csv; charset=utf-8', content: writeCsv(header, rows) }
  return {
    name: buildDatedFileName(name, 'xlsx'),
    type: XLSX_TYPE,
    content: await writeXlsx(name.slice(0, 31), header, rows),
  }
}

/** Spreadsheets write UTF-8 or, in France, Windows-1252. */
function decodeText(bytes: Uint8Array): string {
  if (bytes.includes(0)) throw fieldError('file', 'Ce fichier n’est ni un CSV ni un classeur XLSX.')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The lines of a CSV or XLSX file, told apart by their content. */
export async function readTable(bytes: Uint8Array): Promise<CsvLine[]> {
  const what = detectForeignFileType(bytes)
  if (what) throw fieldError('file', `Ce fichier est ${what}\u00a0: un tableau est attendu, en CSV ou en XLSX.`)
  if (!isXlsx(bytes)) return readCsv(decodeText(bytes))
  const rows = await readXlsx(bytes)
  if (!rows)
    throw fieldError('file', 'Ce classeur n’est pas lisible\u00a0: enregistrez-le de nouveau en XLSX ou en CSV.')
  const wide = rows.findIndex((cells) => cells.length > MAX_TABLE_COLUMNS)
  if (wide >= 0) throw createTooManyColumnsError(wide + 1)
  return rows
    .map((cells, at) => ({ line: at + 1, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some(Boolean))
}

/** What other programs' files begin with: pictures, papers, archives that are neither a table nor a curve. */
const FILE_SIGNATURES: [number[], string][] = [
  [[0x25, 0x50, 0x44, 0x46], 'un document PDF'],
  [[0x89, 0x50, 0x4e, 0x47], 'une image PNG'],
  [[0xff, 0xd8, 0xff], 'une image JPEG'],
  [[0x47, 0x49, 0x46, 0x38], 'une image GIF'],
  [[0x37, 0x7a, 0xbc, 0xaf], 'une archive 7z'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'un classeur Excel d’un ancien format'],
]

/** What a file is, where it is none of ours: « une image PNG ». */
export const detectForeignFileType = (bytes: Uint8Array): string | undefined =>
  FILE_SIGNATURES.find(([magic]) => magic.every((byte, at) => bytes[at] === byte))?.[1]

/** A cell that cannot be read says what was expected. */
export class CellError extends Error {}

export const quoteCell = (text: string) => `«\u00a0${text.slice(0, 40)}\u00a0»`

/** 31/12/2026 or 2026-12-31. */
export function parseDayCell(text: string): string {
  const french = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?: 0{1,2}:00(?::00)?)?$/.exec(text)
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:T.*)?$/.exec(text)
  const [year, month, date] = french ? [french[3], french[2], french[1]] : [iso?.[1], iso?.[2], iso?.[3]]
  try {
    return Temporal.PlainDate.from(
      { year: Number(year), month: Number(month), day: Number(date) },
      { overflow: 'reject' },
    ).toString()
  } catch {
    throw new CellError(`${quoteCell(text)} n’est pas une date\u00a0: écrivez par exemple 31/12/2026.`)
  }
}
