import { type MouseEvent, useMemo } from 'react'
import { useWidth } from '../use-width.ts'
import { Glyph } from './glyph.tsx'
import { listOf, MatrixHead, MatrixLine } from './matrix-row.tsx'
import { type CellAt, countLabel, counts, type MatrixRow, matrixSummary, STATES, type State, stateAt } from './model.ts'
import type { MatrixSelection } from './selection.ts'
import { CELL, ROW, useGrid } from './use-grid.ts'
import { useSelecting } from './use-selecting.ts'

export type { MatrixRow } from './model.ts'

type MatrixProps = {
  title: string
  rows: MatrixRow[]
  days: string[]
  onSelect?: (cell: { row: MatrixRow; day: string; state: State }) => void
  selection?: MatrixSelection
}

const KEYS = {
  reading: 'Flèches pour aller d’une journée à l’autre, Entrée pour ouvrir.',
  choosing:
    'Flèches pour aller d’une journée à l’autre, Espace pour cocher, Maj et Espace pour la ligne, Ctrl et A pour tout, Entrée pour ouvrir.',
}

const SIDE = { narrow: 132, least: 200, most: 320, scrollbar: 16 }
const HEIGHT = 480

function MatrixLegend({ rows }: { rows: MatrixRow[] }) {
  const found = useMemo(() => counts(rows), [rows])
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-[0.8125rem] text-ink-soft">
      {STATES.map(({ state, label }) => (
        <li key={state} className="tabular inline-flex items-center gap-1.5">
          <Glyph state={state} />
          {countLabel(label, found[state])}
        </li>
      ))}
    </ul>
  )
}

/** On a wide screen the names take the room that the days leave; on a phone the days come first. */
const firstColumnWidth = (width: number, days: number) =>
  width < 560 ? SIDE.narrow : Math.min(SIDE.most, Math.max(SIDE.least, width - days * CELL - SIDE.scrollbar))

/** Point by day: what has been received and what is missing. Only what is seen is drawn, so a thousand points scroll freely. */
export function Matrix({ title, rows, days, onSelect, selection }: MatrixProps) {
  const summary = useMemo(() => matrixSummary(rows, days.length), [rows, days])
  const [frame, width] = useWidth<HTMLElement>(960)
  const first = firstColumnWidth(width, days.length)
  const selecting = useSelecting(rows, days, selection)
  const open = ({ row, column }: CellAt) => {
    const [chosen, day] = [rows[row], days[column]]
    if (chosen && day !== undefined) onSelect?.({ row: chosen, day, state: stateAt(chosen, column) })
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
        style={{ maxHeight: HEIGHT }}
      >
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its cells are walked with the arrow keys
          role="grid"
          aria-label={`${title}. ${selecting ? KEYS.choosing : KEYS.reading}`}
          aria-multiselectable={selecting ? true : undefined}
          aria-rowcount={rows.length + 1}
          aria-colcount={days.length + 1}
          onKeyDown={grid.onKeyDown}
          onClick={onClick}
          className="table-fixed border-separate border-spacing-0"
          style={{ width: first + days.length * CELL }}
        >
          <colgroup>
            <col style={{ width: first }} />
            <col span={days.length} style={{ width: CELL }} />
          </colgroup>
          <MatrixHead days={days} columns={grid.columns} wide={first > SIDE.narrow} selecting={selecting} />
          <tbody>
            <tr style={{ height: grid.rows.first * ROW }} />
            {listOf(grid.rows).map((index) => {
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
                    wide={first > SIDE.narrow}
                    selecting={selecting}
                  />
                )
              )
            })}
            <tr style={{ height: (rows.length - grid.rows.end) * ROW }} />
          </tbody>
        </table>
      </div>
      <figcaption className="prose-width text-body text-ink-soft">{summary}</figcaption>
    </figure>
  )
}
