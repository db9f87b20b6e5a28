import { ParticipantLine } from '@voisol/contract/participants'
import type { CsvLine } from '../../../files/csv.ts'
import { readTable } from '../../../files/read-table.ts'
import { fieldError } from '../../../http/errors.ts'
import { getMissingNameIssue, normalizeNames } from './identity.ts'
import { BATTERY_DIRECTION, CELL_PARSERS, CellError } from './import-cells.ts'
import { getColumnTitle, IMPORT_COLUMN_NAMES, type ImportColumn, parseHeader } from './import-columns.ts'

export const MAX_IMPORT_LINES = 2000
const MAX_CELL_LENGTH = 500
/** A parsed line of a file, or why it could not be parsed. */
export type ParsedLine = {
  line: number
  name: string
  prm: string
  cells: LineCell[]
  value?: ParticipantLine
  faults: CellIssue[]
}
type LineCell = { title: string; text: string }
export type CellIssue = { title: string; message: string }

/** Removes the quote that our exports add before text that looks like a formula. */
const cleanCell = (cell: string | undefined) => (cell ?? '').replace(/^'(?=[=+\-@])/, '').trim()

function parseLine({ line, cells }: CsvLine, places: Map<ImportColumn, number>): ParsedLine {
  const values: Record<string, unknown> = {}
  const faults: CellIssue[] = []
  for (const [column, at] of places) {
    const text = cleanCell(cells[at])
    if (text === '') continue
    try {
      values[column] = CELL_PARSERS[column]?.(text) ?? text
    } catch (error) {
      if (!(error instanceof CellError)) throw error
      faults.push({ title: getColumnTitle(column), message: error.message })
    }
  }
  const text = (column: ImportColumn) => cleanCell(cells[places.get(column) ?? -1])
  const name = text('name') || `${text('firstName')} ${text('lastName')}`.trim()
  const lineCells = [...places.keys()].map((column) => ({
    title: getColumnTitle(column),
    text: text(column).slice(0, MAX_CELL_LENGTH),
  }))
  const read = { line, name: name.slice(0, 200), prm: text('prm').slice(0, 40), cells: lineCells }
  return validateLine(read, values, faults)
}

function validateLine(
  lineData: Omit<ParsedLine, 'faults'>,
  values: Record<string, unknown>,
  faults: CellIssue[],
): ParsedLine {
  const battery = values.direction === BATTERY_DIRECTION && { direction: 'consumption', storage: true }
  const parsed = ParticipantLine.safeParse({ ...values, ...battery })
  const titlesWithIssue = new Set(faults.map(({ title }) => title))
  for (const { path, message } of parsed.error?.issues ?? []) {
    const column = IMPORT_COLUMN_NAMES.find((name) => name === path[0])
    const title = column ? getColumnTitle(column) : 'Ligne'
    if (!titlesWithIssue.has(title)) faults.push({ title, message })
  }
  const names = parsed.data && normalizeNames(parsed.data)
  if (names && !names.name) faults.push({ title: 'Nom', message: getMissingNameIssue(names.kind).message })
  if (faults.length || !parsed.data) return { ...lineData, faults }
  return { ...lineData, prm: parsed.data.prm, value: parsed.data, faults }
}

/** Reads the lines of a CSV or XLSX file, detected by content. */
export async function parseParticipantFile(bytes: Uint8Array): Promise<ParsedLine[]> {
  const [header, ...lines] = await readTable(bytes)
  const places = parseHeader(header?.cells ?? [])
  if (!lines.length) throw fieldError('file', 'Le fichier ne contient aucun participant sous la ligne de titres.')
  if (lines.length > MAX_IMPORT_LINES)
    throw fieldError(
      'file',
      `Au plus 2\u202f000 lignes par fichier\u00a0: celui-ci en compte ${lines.length.toLocaleString('fr-FR')}.`,
    )
  return lines.map((line) => parseLine(line, places))
}
