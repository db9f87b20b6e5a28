import { readXlsx as read, writeXlsx as write } from 'hucre/xlsx'
import type { SpreadsheetCell } from './csv.ts'

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
/** What a workbook may weigh once it is unpacked: a small file that hides more is refused. */
const MAX_UNPACKED_BYTES = 60_000_000
const CENTRAL_ENTRY = 0x02014b50

/** Texts are typed as texts in a workbook: none can be taken for a formula. */
export async function writeXlsx(sheet: string, header: string[], rows: SpreadsheetCell[][]): Promise<Uint8Array> {
  const body = rows.map((row) =>
    row.map((cell) => (typeof cell === 'boolean' ? (cell ? 'oui' : 'non') : (cell ?? null))),
  )
  return write({ sheets: [{ name: sheet, rows: [header, ...body], freezePane: { rows: 1 } }] })
}

/** The sizes that the archive's own table announces. */
function sumUnpackedSizes(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let total = 0
  for (let at = 0; at + 46 <= bytes.length; at++)
    if (bytes[at] === 0x50 && view.getUint32(at, true) === CENTRAL_ENTRY) total += view.getUint32(at + 24, true)
  return total
}

export const isXlsx = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b

/** The first sheet, as texts; null where the file is no workbook or would unpack to too much. */
export async function readXlsx(bytes: Uint8Array): Promise<string[][] | null> {
  if (!isXlsx(bytes) || sumUnpackedSizes(bytes) > MAX_UNPACKED_BYTES) return null
  try {
    const { sheets } = await read(bytes)
    return (sheets[0]?.rows ?? []).map((row) => row.map(toText))
  } catch {
    return null
  }
}

function toText(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  return cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell)
}
