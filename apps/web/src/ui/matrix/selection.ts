import { type MatrixRow, type State, stateAt } from './model.ts'

/** Days that are ticked, by row and day; with it the matrix is for choosing, without it for reading. */
export type MatrixSelection = { cells: ReadonlySet<string>; onChange: (cells: ReadonlySet<string>) => void }

export const cellKey = (rowId: string, day: string) => `${rowId} ${day}`
/** What is there is not asked for again. */
export const isGap = (state: State) => state === 'm' || state === 'p'

/** The gaps of a row, as keys. */
export const gapsOf = (row: MatrixRow, days: string[]) =>
  days.flatMap((day, column) => (isGap(stateAt(row, column)) ? [cellKey(row.id, day)] : []))

/** All of them, or none of them where all are there already. */
export function flipped(cells: ReadonlySet<string>, keys: string[]): ReadonlySet<string> {
  const next = new Set(cells)
  const whole = keys.every((key) => cells.has(key))
  for (const key of keys) whole ? next.delete(key) : next.add(key)
  return next
}

/** How much of `keys` is ticked, as a checkbox shows it. */
export function share(cells: ReadonlySet<string>, keys: string[]) {
  const count = keys.filter((key) => cells.has(key)).length
  return { checked: keys.length > 0 && count === keys.length, mixed: count > 0 && count < keys.length }
}
