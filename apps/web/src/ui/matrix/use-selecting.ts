import type { KeyboardEvent } from 'react'
import type { CellAt, MatrixRow } from './model.ts'
import { stateAt } from './model.ts'
import { cellKey, flipped, gapsOf, isGap, type MatrixSelection } from './selection.ts'

/** What a press and a key tick: a day, a row, all that is shown. */
export function useSelecting(rows: MatrixRow[], days: string[], selection: MatrixSelection | undefined) {
  if (!selection) return undefined
  const { cells, onChange } = selection
  const flip = (keys: string[]) => keys.length > 0 && onChange(flipped(cells, keys))
  const cell = ({ row, column }: CellAt) => {
    const [chosen, day] = [rows[row], days[column]]
    if (chosen && day !== undefined && isGap(stateAt(chosen, column))) flip([cellKey(chosen.id, day)])
  }
  const row = (chosen: MatrixRow | undefined) => chosen && flip(gapsOf(chosen, days))
  const gaps = rows.flatMap((one) => gapsOf(one, days))
  const all = () => flip(gaps)
  /** Whether the key was one of these. */
  const onKey = (event: KeyboardEvent, at: CellAt) => {
    if (event.key === ' ') event.shiftKey ? row(rows[at.row]) : cell(at)
    else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) onChange(new Set([...cells, ...gaps]))
    else return false
    return true
  }
  return { cells, gaps, cell, row, all, onKey }
}
export type Selecting = NonNullable<ReturnType<typeof useSelecting>>
