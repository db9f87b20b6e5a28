import { useQuery } from '@tanstack/react-query'
import type { LineDay } from '@voisol/contract/invoice-views'
import { invoices } from '@voisol/contract/invoices'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { useState } from 'react'
import { query } from '../../lib/queries.ts'
import { cx } from '../../ui/cx.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { formatDocumentKwh, formatPreciseMoney } from './labels.ts'
import { LineSteps } from './line-steps.tsx'

const DAY_FORMAT = new Intl.DateTimeFormat('fr-FR', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})
const formatDay = (day: string) => DAY_FORMAT.format(new Date(`${day}T12:00:00Z`))

type DayTotals = { day: string; wh: number; amount: number; from: string[] }

/** A day is one row, whatever the roofs and hours it came from: whole figures, so that sums stay sums. */
export function groupPartsByDay(parts: readonly LineDay[]): DayTotals[] {
  return [...Map.groupBy(parts, ({ day }) => day)].map(([day, own]) => ({
    day,
    wh: own.reduce((sum, { wh }) => sum + wh, 0),
    amount: own.reduce((sum, { amount }) => sum + amount, 0),
    from: [...new Set(own.map(({ producer, timeClass }) => [producer, timeClass].filter(Boolean).join(' · ')))],
  }))
}

type RowProps = { id: string; line: number; row: DayTotals; most: number }

function DayRow({ id, line, row, most }: RowProps) {
  const [open, setOpen] = useState(false)
  return (
    <li className="border-t border-line first:border-t-0">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="grid min-h-9 w-full grid-cols-[5.5rem_minmax(0,1fr)_auto_1rem] items-center gap-x-3 py-1 text-left hover:bg-page sm:grid-cols-[6.5rem_minmax(0,1fr)_7rem_6rem_1rem]"
      >
        <span>{formatDay(row.day)}</span>
        <span aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-slate-100">
          <span
            className="block h-full rounded-full bg-local"
            style={{ width: `${(Math.abs(row.wh) / most) * 100}%` }}
          />
        </span>
        <span className="tabular text-right sm:contents">
          <span className="block sm:text-right">{formatDocumentKwh(row.wh)}</span>
          <span className="block text-ink-soft sm:text-right sm:text-ink">{formatPreciseMoney(row.amount)}</span>
        </span>
        <ChevronDown aria-hidden="true" className={cx('size-4 text-ink-soft', open && 'rotate-180')} />
      </button>
      {open && <LineSteps id={id} line={line} day={row.day} from={row.from} />}
    </li>
  )
}

type LineDaysProps = { id: string; line: number; why: string }

/** The days a line is made of, from the computation that was kept; each opens to its quarter hours. */
export function LineDays({ id, line, why }: LineDaysProps) {
  const { data, error, refetch } = useQuery(query(invoices.lineDays, { params: { id, line } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-24 w-full" />
  if (data.items.length === 0)
    return <p className="text-[0.8125rem] text-ink-soft">Le détail par jour de cette ligne n’a pas été gardé.</p>
  const days = groupPartsByDay(data.items)
  const maxWh = Math.max(1, ...days.map(({ wh }) => Math.abs(wh)))
  return (
    <div className="grid gap-3 text-[0.8125rem]">
      <ul aria-label="Jours de la ligne">
        {days.map((row) => (
          <DayRow key={row.day} id={id} line={line} row={row} most={maxWh} />
        ))}
      </ul>
      <p className="text-ink-soft">
        Ces jours font ensemble exactement la ligne, en kWh comme en euros hors taxes&nbsp;: l’arrondi est celui de la
        ligne, réparti entre eux.{' '}
        <Link to={why} className="text-link">
          Pourquoi ce chiffre&nbsp;?
        </Link>
      </p>
    </div>
  )
}
