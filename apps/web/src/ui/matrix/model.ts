import { number, percent, plural } from '../../lib/format.ts'

export type MatrixRow = {
  id: string
  label: string
  /** One character per day: r received, p partial, d doubtful, e estimated, c corrected, m missing, - not expected. */
  cells: string
}
export type State = 'r' | 'p' | 'd' | 'e' | 'c' | 'm' | '-'
export type CellAt = { row: number; column: number }

export const STATES: { state: State; label: string }[] = [
  { state: 'r', label: 'Reçu' },
  { state: 'p', label: 'Partiel' },
  { state: 'd', label: 'Douteux' },
  { state: 'e', label: 'Estimé' },
  { state: 'c', label: 'Corrigé' },
  { state: 'm', label: 'Manquant' },
  { state: '-', label: 'Non attendu' },
]

const known = new Map<string, State>(STATES.map(({ state }) => [state, state]))
/** What is not said is not expected. */
export const stateAt = (row: MatrixRow | undefined, column: number): State =>
  known.get(row?.cells[column] ?? '-') ?? '-'
export const stateLabel = (state: State) => STATES.find((one) => one.state === state)?.label ?? ''

export function counts(rows: MatrixRow[]) {
  const found: Record<State, number> = { r: 0, p: 0, d: 0, e: 0, c: 0, m: 0, '-': 0 }
  for (const row of rows) for (const cell of row.cells) found[known.get(cell) ?? '-']++
  return found
}

/** Share of the expected days that are there, whole, in any quality; null where nothing is expected. */
export function completeness(rows: MatrixRow[]) {
  const { r, p, d, e, c, m } = counts(rows)
  const expected = r + p + d + e + c + m
  return expected > 0 ? (r + d + e + c) / expected : null
}

/** « 99,9 % » must not read 100 % while a day is missing. */
export const completenessText = (ratio: number | null) =>
  ratio === null ? '–' : percent(ratio === 1 ? 1 : Math.floor(ratio * 1000) / 1000)

export function matrixSummary(rows: MatrixRow[], days: number) {
  const { p, d, e, c, m } = counts(rows)
  const ratio = completeness(rows)
  if (ratio === null) return `${plural(rows.length, 'point')}\u00a0: aucune donnée n’est attendue sur cette période.`
  const late = rows.filter((row) => /[pm]/.test(row.cells)).length
  const parts = [
    m > 0 && plural(m, 'journée manquante', 'journées manquantes'),
    p > 0 && plural(p, 'partielle'),
    d > 0 && plural(d, 'douteuse'),
    e > 0 && plural(e, 'estimée'),
    c > 0 && plural(c, 'corrigée'),
  ].filter(Boolean)
  const where = late > 0 ? `, sur ${plural(late, 'point')}` : ''
  return (
    `${plural(rows.length, 'point')} sur ${plural(days, 'jour')}\u00a0: ${completenessText(ratio)} des journées attendues sont complètes` +
    `${parts.length > 0 ? `\u00a0; ${parts.join(', ')}${where}` : ''}.`
  )
}

/** The cell a key leads to; a page is ten rows. */
export function nextCell({ row, column }: CellAt, key: string, ctrl: boolean, rows: number, columns: number) {
  const moves: Record<string, CellAt> = {
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    PageUp: { row: row - 10, column },
    PageDown: { row: row + 10, column },
    Home: { row: ctrl ? 0 : row, column: 0 },
    End: { row: ctrl ? rows - 1 : row, column: columns - 1 },
  }
  const next = moves[key]
  const within = (value: number, count: number) => Math.max(0, Math.min(count - 1, value))
  return next ? { row: within(next.row, rows), column: within(next.column, columns) } : null
}

/** The items that a scrolled view can show, with a few around them. */
export function visible(scroll: number, view: number, size: number, count: number, around = 4) {
  const first = Math.max(0, Math.floor(scroll / size) - around)
  return { first, end: Math.min(count, Math.ceil((scroll + view) / size) + around) }
}

/** Where to scroll so that an item is seen whole. */
export function scrollFor(scroll: number, view: number, size: number, index: number) {
  const [start, end] = [index * size, (index + 1) * size]
  return start < scroll ? start : end > scroll + view ? end - view : scroll
}

export const countLabel = (label: string, count: number) => `${label} (${number(count)})`
