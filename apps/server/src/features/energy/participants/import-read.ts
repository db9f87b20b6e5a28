import { ParticipantLine } from '@voisol/contract/participants'
import type { CsvLine } from '../../../files/csv.ts'
import { readTable } from '../../../files/read-table.ts'
import { fieldError } from '../../../http/errors.ts'
import { missingName, namesOf } from './identity.ts'
import { BATTERY, CellError, READERS } from './import-cells.ts'
import { type Column, columnNames, readHeader, titleOf } from './import-columns.ts'

export const MOST_LINES = 2000
const MOST_SHOWN = 500
/** A line of a file as it was understood, or why it was not. */
export type ReadLine = {
  line: number
  name: string
  prm: string
  cells: Cell[]
  value?: ParticipantLine
  faults: CellFault[]
}
type Cell = { title: string; text: string }
export type CellFault = { title: string; message: string }

/** What our own exports put in front of a text that begins like a formula. */
const plain = (cell: string | undefined) => (cell ?? '').replace(/^'(?=[=+\-@])/, '').trim()

function readLine({ line, cells }: CsvLine, places: Map<Column, number>): ReadLine {
  const values: Record<string, unknown> = {}
  const faults: CellFault[] = []
  for (const [column, at] of places) {
    const text = plain(cells[at])
    if (text === '') continue
    try {
      values[column] = READERS[column]?.(text) ?? text
    } catch (error) {
      if (!(error instanceof CellError)) throw error
      faults.push({ title: titleOf(column), message: error.message })
    }
  }
  const text = (column: Column) => plain(cells[places.get(column) ?? -1])
  const name = text('name') || `${text('firstName')} ${text('lastName')}`.trim()
  const said = [...places.keys()].map((column) => ({ title: titleOf(column), text: text(column).slice(0, MOST_SHOWN) }))
  const read = { line, name: name.slice(0, 200), prm: text('prm').slice(0, 40), cells: said }
  return check(read, values, faults)
}

function check(read: Omit<ReadLine, 'faults'>, values: Record<string, unknown>, faults: CellFault[]): ReadLine {
  const battery = values.direction === BATTERY && { direction: 'consumption', storage: true }
  const parsed = ParticipantLine.safeParse({ ...values, ...battery })
  const said = new Set(faults.map(({ title }) => title))
  for (const { path, message } of parsed.error?.issues ?? []) {
    const column = columnNames.find((name) => name === path[0])
    const title = column ? titleOf(column) : 'Ligne'
    if (!said.has(title)) faults.push({ title, message })
  }
  const names = parsed.data && namesOf(parsed.data)
  if (names && !names.name) faults.push({ title: 'Nom', message: missingName(names.kind).message })
  if (faults.length || !parsed.data) return { ...read, faults }
  return { ...read, prm: parsed.data.prm, value: parsed.data, faults }
}

/** The lines of a CSV or XLSX file, told apart by their content. */
export async function readParticipants(bytes: Uint8Array): Promise<ReadLine[]> {
  const [header, ...lines] = await readTable(bytes)
  const places = readHeader(header?.cells ?? [])
  if (!lines.length) throw fieldError('file', 'Le fichier ne contient aucun participant sous la ligne de titres.')
  if (lines.length > MOST_LINES)
    throw fieldError(
      'file',
      `Au plus 2\u202f000 lignes par fichier\u00a0: celui-ci en compte ${lines.length.toLocaleString('fr-FR')}.`,
    )
  return lines.map((line) => readLine(line, places))
}
