import { formatCount, formatPercent } from '../../lib/format.ts'

export type MatrixRow = {
  id: string
  label: string
  /** One character per day: r received, p partial, d doubtful, e estimated, c corrected, m missing, - not expected. */
  cells: string
}
export type CellState = 'r' | 'p' | 'd' | 'e' | 'c' | 'm' | '-'
export type CellPosition = { row: number; column: number }

export const CELL_STATES: { state: CellState; label: string }[] = [
  { state: 'r', label: 'Reçu' },
  { state: 'p', label: 'Partiel' },
  { state: 'd', label: 'Douteux' },
  { state: 'e', label: 'Estimé' },
  { state: 'c', label: 'Corrigé' },
  { state: 'm', label: 'Manquant' },
  { state: '-', label: 'Non attendu' },
]

const statesByCode = new Map<string, CellState>(CELL_STATES.map(({ state }) => [state, state]))
/** What is not said is not expected. */
export const getCellState = (row: MatrixRow | undefined, column: number): CellState =>
  statesByCode.get(row?.cells[column] ?? '-') ?? '-'

export function countStates(rows: MatrixRow[]) {
  const found: Record<CellState, number> = { r: 0, p: 0, d: 0, e: 0, c: 0, m: 0, '-': 0 }
  for (const row of rows) for (const cell of row.cells) found[statesByCode.get(cell) ?? '-']++
  return found
}

/** Share of the expected days that are there, whole, in any quality; null where nothing is expected. */
export function computeMatrixCompleteness(rows: MatrixRow[]) {
  const { r, p, d, e, c, m } = countStates(rows)
  const expected = r + p + d + e + c + m
  return expected > 0 ? (r + d + e + c) / expected : null
}

/** « 99,9 % » must not read 100 % while a day is missing. */
export const formatCompleteness = (ratio: number | null) =>
  ratio === null ? '–' : formatPercent(ratio === 1 ? 1 : Math.floor(ratio * 1000) / 1000)

export function describeMatrix(rows: MatrixRow[], days: number) {
  const { p, d, e, c, m } = countStates(rows)
  const ratio = computeMatrixCompleteness(rows)
  if (ratio === null)
    return `${formatCount(rows.length, 'point')}\u00a0: aucune donnée n’est attendue sur cette période.`
  const late = rows.filter((row) => /[pm]/.test(row.cells)).length
  const parts = [
    m > 0 && formatCount(m, 'journée manquante', 'journées manquantes'),
    p > 0 && formatCount(p, 'partielle'),
    d > 0 && formatCount(d, 'douteuse'),
    e > 0 && formatCount(e, 'estimée'),
    c > 0 && formatCount(c, 'corrigée'),
  ].filter(Boolean)
  const where = late > 0 ? `, sur ${formatCount(late, 'point')}` : ''
  return (
    `${formatCount(rows.length, 'point')} sur ${formatCount(days, 'jour')}\u00a0: ${formatCompleteness(ratio)} des journées attendues sont complètes` +
    `${parts.length > 0 ? `\u00a0; ${parts.join(', ')}${where}` : ''}.`
  )
}

/** The cell a key leads to; a page is ten rows. */
export function getNextCell({ row, column }: CellPosition, key: string, ctrl: boolean, rows: number, columns: number) {
  const moves: Record<string, CellPosition> = {
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
export function computeVisibleRange(scroll: number, view: number, size: number, count: number, around = 4) {
  const first = Math.max(0, Math.floor(scroll / size) - around)
  return { first, end: Math.min(count, Math.ceil((scroll + view) / size) + around) }
}

/** Where to scroll so that an item is seen whole. */
export function computeScroll(scroll: number, view: number, size: number, index: number) {
  const [start, end] = [index * size, (index + 1) * size]
  return start < scroll ? start : end > scroll + view ? end - view : scroll
}

/** Days that are ticked, by row and day; with it the matrix is for choosing, without it for reading. */
export type MatrixSelection = { cells: ReadonlySet<string>; onChange: (cells: ReadonlySet<string>) => void }

export const toCellKey = (rowId: string, day: string) => `${rowId} ${day}`
/** What is there is not asked for again. */
export const isGap = (state: CellState) => state === 'm' || state === 'p'

/** The gaps of a row, as keys. */
export const listGapKeys = (row: MatrixRow, days: string[]) =>
  days.flatMap((day, column) => (isGap(getCellState(row, column)) ? [toCellKey(row.id, day)] : []))

/** All of them, or none of them where all are there already. */
export function toggleKeys(cells: ReadonlySet<string>, keys: string[]): ReadonlySet<string> {
  const next = new Set(cells)
  const whole = keys.every((key) => cells.has(key))
  for (const key of keys) whole ? next.delete(key) : next.add(key)
  return next
}

/** How much of `keys` is ticked, as a checkbox shows it. */
export function getCheckboxState(cells: ReadonlySet<string>, keys: string[]) {
  const count = keys.filter((key) => cells.has(key)).length
  return { checked: keys.length > 0 && count === keys.length, mixed: count > 0 && count < keys.length }
}
