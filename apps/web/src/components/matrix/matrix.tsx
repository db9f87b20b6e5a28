import { withDe } from '@voisol/contract/elision'
import { type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { CheckboxInput } from '../checkbox.tsx'
import { cx } from '../cx.ts'
import { formatFullDay } from '../period/period-labels.ts'
import { useWidth } from '../use-width.ts'
import {
  CELL_STATES,
  type CellPosition,
  type CellState,
  computeMatrixCompleteness,
  computeScroll,
  computeVisibleRange,
  countStates,
  describeMatrix,
  formatCompleteness,
  getCellState,
  getCheckboxState,
  getNextCell,
  isGap,
  listGapKeys,
  type MatrixRow,
  type MatrixSelection,
  toCellKey,
  toggleKeys,
} from './matrix-model.ts'

export type { MatrixRow } from './matrix-model.ts'

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

const formatLabelWithCount = (label: string, count: number) => `${label} (${formatNumber(count)})`

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

type IndexRange = { first: number; end: number }
const listRangeIndexes = ({ first, end }: IndexRange) =>
  Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at)

/** Stands for the columns that are out of sight. */
const Spacer = ({ count }: { count: number }) => count > 0 && <td aria-hidden="true" colSpan={count} />

const firstColumn = 'sticky left-0 z-10 border-r border-b border-line bg-card px-3 text-left text-[0.8125rem]'

type RowProps = {
  row: MatrixRow
  index: number
  days: string[]
  columns: IndexRange
  active: CellPosition
  wide: boolean
  selecting?: MatrixSelectionState
}

/** Out of the tab order: the grid is one stop, and ticks a row by its own keys. */
function RowCheckbox({ row, days, selecting }: { row: MatrixRow; days: string[]; selecting: MatrixSelectionState }) {
  const gaps = listGapKeys(row, days)
  if (gaps.length === 0) return <span aria-hidden="true" className="size-6 shrink-0" />
  return (
    <CheckboxInput
      tabIndex={-1}
      aria-label={`Cocher les manques ${withDe(row.label)}`}
      {...getCheckboxState(selecting.cells, gaps)}
      onChange={() => selecting.row(row)}
    />
  )
}

const cellClass = 'rounded-sm border-b border-line/60 p-1 focus-visible:-outline-offset-2'
const cellStateClasses = {
  open: 'cursor-pointer hover:bg-slate-100',
  ticked: 'cursor-pointer bg-primary-soft shadow-[inset_0_0_0_2px_var(--color-primary-ink)]',
  idle: '[&>svg]:opacity-35',
}

const getCellStateLabel = (state: CellState) => CELL_STATES.find((one) => one.state === state)?.label ?? ''

/** One point: its name stays at the left, its days are drawn only where they are seen. */
const MatrixLine = ({ row, index, days, columns, active, wide, selecting }: RowProps) => (
  <tr aria-rowindex={index + 2} style={{ height: ROW_HEIGHT }}>
    <th scope="row" aria-colindex={1} className={`${firstColumn} font-normal`}>
      <span className="flex items-center justify-between gap-2">
        {selecting && <RowCheckbox row={row} days={days} selecting={selecting} />}
        <span className="min-w-0 grow truncate" title={row.label}>
          {row.label}
        </span>
        <span className={wide ? 'tabular shrink-0 text-ink-soft' : 'sr-only'}>
          {formatCompleteness(computeMatrixCompleteness([row]))}
        </span>
      </span>
    </th>
    <Spacer count={columns.first} />
    {listRangeIndexes(columns).map((column) => {
      const [day, state] = [days[column] ?? '1970-01-01', getCellState(row, column)]
      const words = `${formatFullDay(day)}\u00a0: ${getCellStateLabel(state).toLowerCase()}`
      const ticked = selecting && isGap(state) ? selecting.cells.has(toCellKey(row.id, day)) : undefined
      return (
        // biome-ignore lint/a11y/useAriaPropsSupportedByRole: in a table that is a grid, a cell is a gridcell
        <td
          key={column}
          aria-colindex={column + 2}
          data-cell={`${index}-${column}`}
          tabIndex={active.row === index && active.column === column ? 0 : -1}
          aria-label={`${row.label}, ${words}`}
          aria-selected={ticked}
          title={words}
          className={cx(
            cellClass,
            ticked
              ? cellStateClasses.ticked
              : selecting && ticked === undefined
                ? cellStateClasses.idle
                : cellStateClasses.open,
          )}
        >
          <Glyph state={state} />
        </td>
      )
    })}
    <Spacer count={days.length - columns.end} />
  </tr>
)

const weekdayFormat = new Intl.DateTimeFormat('fr-FR', { timeZone: 'UTC', weekday: 'narrow' })
const formatWeekdayLetter = (day: string) => weekdayFormat.format(new Date(`${day}T00:00:00Z`))
const isWeekEnd = (day: string) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())

type HeadProps = Pick<RowProps, 'days' | 'columns' | 'wide' | 'selecting'>

const MatrixHead = ({ days, columns, wide, selecting }: HeadProps) => (
  <thead className="sticky top-0 z-20 bg-card">
    <tr aria-rowindex={1} className="h-11">
      <th scope="col" aria-colindex={1} className={`${firstColumn} font-medium text-ink-soft`}>
        <span className="flex items-center gap-2">
          {selecting && (
            <CheckboxInput
              aria-label="Cocher tous les manques"
              disabled={selecting.gaps.length === 0}
              {...getCheckboxState(selecting.cells, selecting.gaps)}
              onChange={selecting.all}
            />
          )}
          <span className="grow">Point</span>
          {wide && <span>Complet</span>}
        </span>
      </th>
      <Spacer count={columns.first} />
      {listRangeIndexes(columns).map((column) => {
        const day = days[column] ?? '1970-01-01'
        return (
          <th
            key={day}
            scope="col"
            aria-colindex={column + 2}
            aria-label={formatFullDay(day)}
            className={`tabular border-b border-line text-center text-[0.75rem] leading-4 ${isWeekEnd(day) ? 'bg-page font-normal text-ink-muted' : 'font-medium text-ink'}`}
          >
            <span className="block font-normal text-ink-muted">{formatWeekdayLetter(day)}</span>
            {Number(day.slice(8))}
          </th>
        )
      })}
      <Spacer count={days.length - columns.end} />
    </tr>
  </thead>
)

/** What a press and a key tick: a day, a row, all that is shown. */
function useMatrixSelection(rows: MatrixRow[], days: string[], selection: MatrixSelection | undefined) {
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
type MatrixSelectionState = NonNullable<ReturnType<typeof useMatrixSelection>>

const BOX = <rect x="1.5" y="1.5" width="17" height="17" rx="4" />

/** Quiet when all is well, loud when something is missing; each state has its own shape. */
const Glyph = ({ state }: { state: CellState }) => (
  <svg aria-hidden="true" width="20" height="20" viewBox="0 0 20 20" className="block">
    {state === 'r' && <g fill="#B7E2C6">{BOX}</g>}
    {state === 'p' && (
      <g>
        <g fill="#FFFFFF" stroke="#B45309">
          {BOX}
        </g>
        <path d="M2 17V6a4 4 0 0 1 4-4h11Z" fill="#FBD38D" />
      </g>
    )}
    {state === 'd' && (
      <g>
        <g fill="#FEF3C7" stroke="#92400E">
          {BOX}
        </g>
        <path d="M10 5.5v5.5m0 3v.5" stroke="#92400E" strokeWidth="2" strokeLinecap="round" />
      </g>
    )}
    {state === 'e' && (
      <g fill="#EEF2F6" stroke="#64748B" strokeWidth="1.25" strokeDasharray="2.5 2">
        {BOX}
      </g>
    )}
    {state === 'c' && (
      <g>
        <g fill="#B7E2C6">{BOX}</g>
        <path d="m10 5.5 4.5 4.5-4.5 4.5L5.5 10Z" fill="#166534" />
      </g>
    )}
    {state === 'm' && (
      <g>
        <g fill="#FEE2E2" stroke="#B91C1C" strokeWidth="1.25">
          {BOX}
        </g>
        <path d="m6.5 6.5 7 7m0-7-7 7" stroke="#B91C1C" strokeWidth="1.75" strokeLinecap="round" />
      </g>
    )}
    {state === '-' && <circle cx="10" cy="10" r="1.5" fill="#CBD5E1" />}
  </svg>
)

const ROW_HEIGHT = 34
const CELL_WIDTH = 28
const HEADER_HEIGHT = 44

const readScroll = (element: HTMLElement) => ({
  top: element.scrollTop,
  left: element.scrollLeft,
  width: element.clientWidth,
  height: element.clientHeight,
})

type GridHandlers = {
  open: (cell: CellPosition) => void
  /** What a press does, where it is not to open. */
  press?: (cell: CellPosition) => void
  /** Keys that mean something else; says whether it took the key. */
  onKey?: (event: KeyboardEvent, cell: CellPosition) => boolean
}

/** Scrolling, the window of drawn cells, and one cell in the tab order that the arrow keys move. */
function useGrid(rows: number, columns: number, first: number, { open, press = open, onKey }: GridHandlers) {
  const view = useRef<HTMLDivElement>(null)
  const [scroll, setScroll] = useState({ top: 0, left: 0, width: 1000, height: 480 })
  const [active, setActive] = useState<CellPosition>({ row: 0, column: 0 })
  const focusPending = useRef(false)

  useEffect(() => {
    const element = view.current
    if (!element) return
    const read = () => setScroll(readScroll(element))
    const watcher = new ResizeObserver(read)
    watcher.observe(element)
    element.addEventListener('scroll', read, { passive: true })
    return () => {
      watcher.disconnect()
      element.removeEventListener('scroll', read)
    }
  }, [])

  // Before the old cell is gone for good: a focus that falls back to the page would lose the next key.
  useLayoutEffect(() => {
    if (!focusPending.current) return
    focusPending.current = false
    view.current
      ?.querySelector<HTMLElement>(`[data-cell="${active.row}-${active.column}"]`)
      ?.focus({ preventScroll: true })
  })

  const activeCell = { row: Math.min(active.row, rows - 1), column: Math.min(active.column, columns - 1) }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement) return // a checkbox of the first column has keys of its own
    const element = view.current
    const next = getNextCell(activeCell, event.key, event.ctrlKey, rows, columns)
    if (onKey?.(event, activeCell)) event.stopPropagation()
    else if (event.key === 'Enter' || event.key === ' ') open(activeCell)
    else if (!next || !element) return
    else {
      focusPending.current = true
      element.scrollTop = computeScroll(element.scrollTop, element.clientHeight - HEADER_HEIGHT, ROW_HEIGHT, next.row)
      element.scrollLeft = computeScroll(element.scrollLeft, element.clientWidth - first, CELL_WIDTH, next.column)
      setScroll(readScroll(element))
      setActive(next)
    }
    event.preventDefault()
  }
  const choose = (cell: CellPosition) => {
    setActive(cell)
    press(cell)
  }
  return {
    view,
    active: activeCell,
    choose,
    onKeyDown,
    rows: computeVisibleRange(scroll.top, scroll.height, ROW_HEIGHT, rows),
    columns: computeVisibleRange(scroll.left, scroll.width - first, CELL_WIDTH, columns),
  }
}
