import type { FileReply } from '@voisol/contract/endpoint'
import { buildDatedFileName } from '../http/file-name.ts'
import { type SpreadsheetCell, writeCsv } from './csv.ts'
import { writeXlsx, XLSX_TYPE } from './xlsx.ts'

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
