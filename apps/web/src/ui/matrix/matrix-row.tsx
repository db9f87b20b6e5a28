import { fullDayLabel } from '../period/label.ts'
import { Glyph } from './glyph.tsx'
import { type CellAt, completeness, completenessText, type MatrixRow, stateAt, stateLabel } from './model.ts'
import { ROW } from './use-grid.ts'

export type Range = { first: number; end: number }
export const listOf = ({ first, end }: Range) => Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at)

/** Stands for the columns that are out of sight. */
const Spacer = ({ count }: { count: number }) => count > 0 && <td aria-hidden="true" colSpan={count} />

const firstColumn = 'sticky left-0 z-10 border-r border-b border-line bg-card px-3 text-left text-[0.8125rem]'

type RowProps = { row: MatrixRow; index: number; days: string[]; columns: Range; active: CellAt; wide: boolean }

/** One point: its name stays at the left, its days are drawn only where they are seen. */
export const MatrixLine = ({ row, index, days, columns, active, wide }: RowProps) => (
  <tr aria-rowindex={index + 2} style={{ height: ROW }}>
    <th scope="row" aria-colindex={1} className={`${firstColumn} font-normal`}>
      <span className="flex items-center justify-between gap-2">
        <span className="min-w-0 truncate" title={row.label}>
          {row.label}
        </span>
        <span className={wide ? 'tabular shrink-0 text-ink-soft' : 'sr-only'}>
          {completenessText(completeness([row]))}
        </span>
      </span>
    </th>
    <Spacer count={columns.first} />
    {listOf(columns).map((column) => {
      const words = `${fullDayLabel(days[column] ?? '1970-01-01')}\u00a0: ${stateLabel(stateAt(row, column)).toLowerCase()}`
      return (
        <td
          key={column}
          aria-colindex={column + 2}
          data-cell={`${index}-${column}`}
          tabIndex={active.row === index && active.column === column ? 0 : -1}
          aria-label={`${row.label}, ${words}`}
          title={words}
          className="cursor-pointer rounded-sm border-b border-line/60 p-1 hover:bg-slate-100 focus-visible:-outline-offset-2"
        >
          <Glyph state={stateAt(row, column)} />
        </td>
      )
    })}
    <Spacer count={days.length - columns.end} />
  </tr>
)

const weekday = new Intl.DateTimeFormat('fr-FR', { timeZone: 'UTC', weekday: 'narrow' })
const letter = (day: string) => weekday.format(new Date(`${day}T00:00:00Z`))
const isWeekEnd = (day: string) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())

export const MatrixHead = ({ days, columns, wide }: { days: string[]; columns: Range; wide: boolean }) => (
  <thead className="sticky top-0 z-20 bg-card">
    <tr aria-rowindex={1} className="h-11">
      <th scope="col" aria-colindex={1} className={`${firstColumn} font-medium text-ink-soft`}>
        <span className="flex justify-between">
          <span>Point</span>
          {wide && <span>Complet</span>}
        </span>
      </th>
      <Spacer count={columns.first} />
      {listOf(columns).map((column) => {
        const day = days[column] ?? '1970-01-01'
        return (
          <th
            key={day}
            scope="col"
            aria-colindex={column + 2}
            aria-label={fullDayLabel(day)}
            className={`tabular border-b border-line text-center text-[0.75rem] leading-4 ${isWeekEnd(day) ? 'bg-page font-normal text-ink-muted' : 'font-medium text-ink'}`}
          >
            <span className="block font-normal text-ink-muted">{letter(day)}</span>
            {Number(day.slice(8))}
          </th>
        )
      })}
      <Spacer count={days.length - columns.end} />
    </tr>
  </thead>
)
