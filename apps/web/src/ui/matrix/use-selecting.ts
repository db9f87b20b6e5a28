import type { KeyboardEvent } from 'react'
import type { CellPosition, MatrixRow } from './model.ts'
import { getCellState } from './model.ts'
import { isGap, listGapKeys, type MatrixSelection, toCellKey, toggleKeys } from './selection.ts'

/** What a press and a key tick: a day, a row, all that is shown. */
export function useMatrixSelection(rows: MatrixRow[], days: string[], selection: MatrixSelection | undefined) {
  if (!selection) return undefined
  const { cells, onChange } = selection
  const flip = (keys: string[]) => keys.length > 0 && onChange(toggleKeys(cells, keys))
  const cell = ({ row, column }: CellPosition) => {
    const [chosen, day] = [rows[row], days[column]]
    if (chosen && day !== undefined && isGap(getCellState(chosen, column))) flip([toCellKey(chosen.id, day)])
  }
  const row = (chosen: MatrixRow | undefined) => chosen && flip(listGapKeys(chosen, days))
  const gaps = rows.flatMap((one) => listGapKeys(one, days))
  const all = () => flip(gaps)
  /** Whether the key was one of these. */
  const onKey = (event: KeyboardEvent, at: CellPosition) => {
    if (event.key === ' ') event.shiftKey ? row(rows[at.row]) : cell(at)
    else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) onChange(new Set([...cells, ...gaps]))
    else return false
    return true
  }
  return { cells, gaps, cell, row, all, onKey }
}
export type MatrixSelectionState = NonNullable<ReturnType<typeof useMatrixSelection>>
