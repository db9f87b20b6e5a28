import { type MouseEvent, useMemo } from 'react'
import { useWidth } from '../use-width.ts'
import { Glyph } from './glyph.tsx'
import { listRangeIndexes, MatrixHead, MatrixLine } from './matrix-row.tsx'
import {
  CELL_STATES,
  type CellPosition,
  type CellState,
  countStates,
  describeMatrix,
  formatLabelWithCount,
  getCellState,
  type MatrixRow,
} from './model.ts'
import type { MatrixSelection } from './selection.ts'
import { CELL_WIDTH, ROW_HEIGHT, useGrid } from './use-grid.ts'
import { useMatrixSelection } from './use-selecting.ts'

export type { MatrixRow } from './model.ts'

type DayMatrixProps = {
  title: string
  rows: MatrixRow[]
  days: string[]
  onSelect?: (cell: { row: MatrixRow; day: string; state: CellState }) => void
  selection?: MatrixSelection
}

const KEY_HELP = {
  reading: 'Flèches pour aller d’une journée à l’autre, Entrée pour ouvrir.',
  choosing:
    'Flèches pour aller d’une journée à l’autre, Espace pour cocher, Maj et Espace pour la ligne, Ctrl et A pour tout, Entrée pour ouvrir.',
}

const FIRST_COLUMN_WIDTHS = { narrow: 132, least: 200, most: 320, scrollbar: 16 }
const MAX_MATRIX_HEIGHT = 480

function MatrixLegend({ rows }: { rows: MatrixRow[] }) {
  const found = useMemo(() => countStates(rows), [rows])
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-[0.8125rem] text-ink-soft">
      {CELL_STATES.map(({ state, label }) => (
        <li key={state} className="tabular inline-flex items-center gap-1.5">
          <Glyph state={state} />
          {formatLabelWithCount(label, found[state])}
        </li>
      ))}
    </ul>
  )
}

/** On a wide screen the names take the room that the days leave; on a phone the days come first. */
const computeFirstColumnWidth = (width: number, days: number) =>
  width < 560
    ? FIRST_COLUMN_WIDTHS.narrow
    : Math.min(
        FIRST_COLUMN_WIDTHS.most,
        Math.max(FIRST_COLUMN_WIDTHS.least, width - days * CELL_WIDTH - FIRST_COLUMN_WIDTHS.scrollbar),
      )

/** Point by day: what has been received and what is missing. Only what is seen is drawn, so a thousand points scroll freely. */
export function DayMatrix({ title, rows, days, onSelect, selection }: DayMatrixProps) {
  const summary = useMemo(() => describeMatrix(rows, days.length), [rows, days])
  const [frame, width] = useWidth<HTMLElement>(960)
  const first = computeFirstColumnWidth(width, days.length)
  const selecting = useMatrixSelection(rows, days, selection)
  const open = ({ row, column }: CellPosition) => {
    const [chosen, day] = [rows[row], days[column]]
    if (chosen && day !== undefined) onSelect?.({ row: chosen, day, state: getCellState(chosen, column) })
  }
  const grid = useGrid(rows.length, days.length, first, { open, press: selecting?.cell, onKey: selecting?.onKey })
  const onClick = ({ target }: MouseEvent) => {
    const place = target instanceof Element ? target.closest<HTMLElement>('[data-cell]')?.dataset.cell : undefined
    const [row, column] = (place ?? '').split('-').map(Number)
    if (row !== undefined && column !== undefined) grid.choose({ row, column })
  }
  return (
    <figure ref={frame} aria-label={title} className="grid gap-3 [&>*]:min-w-0">
      <MatrixLegend rows={rows} />
      <div
        ref={grid.view}
        className="overflow-auto rounded-card border border-line bg-card"
        style={{ maxHeight: MAX_MATRIX_HEIGHT }}
      >
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its cells are walked with the arrow keys
          role="grid"
          aria-label={`${title}. ${selecting ? KEY_HELP.choosing : KEY_HELP.reading}`}
          aria-multiselectable={selecting ? true : undefined}
          aria-rowcount={rows.length + 1}
          aria-colcount={days.length + 1}
          onKeyDown={grid.onKeyDown}
          onClick={onClick}
          className="table-fixed border-separate border-spacing-0"
          style={{ width: first + days.length * CELL_WIDTH }}
        >
          <colgroup>
            <col style={{ width: first }} />
            <col span={days.length} style={{ width: CELL_WIDTH }} />
          </colgroup>
          <MatrixHead
            days={days}
            columns={grid.columns}
            wide={first > FIRST_COLUMN_WIDTHS.narrow}
            selecting={selecting}
          />
          <tbody>
            <tr style={{ height: grid.rows.first * ROW_HEIGHT }} />
            {listRangeIndexes(grid.rows).map((index) => {
              const row = rows[index]
              return (
                row && (
                  <MatrixLine
                    key={row.id}
                    row={row}
                    index={index}
                    days={days}
                    columns={grid.columns}
                    active={grid.active}
                    wide={first > FIRST_COLUMN_WIDTHS.narrow}
                    selecting={selecting}
                  />
                )
              )
            })}
            <tr style={{ height: (rows.length - grid.rows.end) * ROW_HEIGHT }} />
          </tbody>
        </table>
      </div>
      <figcaption className="prose-width text-body text-ink-soft">{summary}</figcaption>
    </figure>
  )
}
