import { withDe } from '@voisol/contract/elision'
import { CheckboxInput } from '../checkbox.tsx'
import { cx } from '../cx.ts'
import { formatFullDay } from '../period/label.ts'
import { Glyph } from './glyph.tsx'
import {
  type CellPosition,
  computeMatrixCompleteness,
  formatCompleteness,
  getCellState,
  getCellStateLabel,
  type MatrixRow,
} from './model.ts'
import { getCheckboxState, isGap, listGapKeys, toCellKey } from './selection.ts'
import { ROW_HEIGHT } from './use-grid.ts'
import type { MatrixSelectionState } from './use-selecting.ts'

export type IndexRange = { first: number; end: number }
export const listRangeIndexes = ({ first, end }: IndexRange) =>
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

/** One point: its name stays at the left, its days are drawn only where they are seen. */
export const MatrixLine = ({ row, index, days, columns, active, wide, selecting }: RowProps) => (
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

export const MatrixHead = ({ days, columns, wide, selecting }: HeadProps) => (
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
