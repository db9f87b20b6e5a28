import { type CellState, getCellState, type MatrixRow } from './model.ts'

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
