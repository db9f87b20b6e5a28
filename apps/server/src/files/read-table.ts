import { fieldError } from '../http/errors.ts'
import { type CsvLine, createTooManyColumnsError, MAX_TABLE_COLUMNS, readCsv } from './csv.ts'
import { detectForeignFileType } from './foreign.ts'
import { isXlsx, readXlsx } from './xlsx.ts'

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
