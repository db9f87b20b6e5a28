import { useQuery } from '@tanstack/react-query'
import type { LineDay } from '@voisol/contract/invoice-views'
import { invoices } from '@voisol/contract/invoices'
import { number } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { documentKwh } from './labels.ts'

const DAY = new Intl.DateTimeFormat('fr-FR', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayWords = (day: string) => DAY.format(new Date(`${day}T12:00:00Z`))

function Bars({ days }: { days: LineDay[] }) {
  const most = Math.max(1, ...days.map(({ wh }) => wh))
  return (
    <ul className="grid gap-1 text-[0.8125rem]">
      {days.map(({ day, producer, timeClass, wh }) => (
        <li
          key={`${day} ${producer} ${timeClass}`}
          className="grid grid-cols-[6.5rem_minmax(0,1fr)_6.5rem] items-center gap-3 sm:grid-cols-[6.5rem_minmax(0,14rem)_minmax(0,1fr)_6.5rem]"
        >
          <span>{dayWords(day)}</span>
          <span className="truncate text-ink-soft max-sm:hidden">
            {producer}
            {timeClass && ` · ${timeClass}`}
          </span>
          <span aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-slate-100">
            <span className="block h-full rounded-full bg-local" style={{ width: `${(wh / most) * 100}%` }} />
          </span>
          <span className="tabular text-right">{documentKwh(wh)}</span>
        </li>
      ))}
    </ul>
  )
}

type LineDaysProps = { id: string; line: number; wattMinutes: string; why: string }

/** The days a line is made of, from the computation that was kept; each leads on to its quarter hours. */
export function LineDays({ id, line, wattMinutes, why }: LineDaysProps) {
  const { data, error, refetch } = useQuery(query(invoices.lineDays, { params: { id, line } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-24 w-full" />
  if (data.items.length === 0)
    return <p className="text-[0.8125rem] text-ink-soft">Le détail par jour de cette ligne n’a pas été gardé.</p>
  const exact = wattMinutes === data.wattMinutes
  return (
    <div className="grid gap-3">
      <Bars days={data.items} />
      <p className="text-[0.8125rem] text-ink-soft">
        {exact && !wattMinutes.includes('/')
          ? `Ensemble, ces jours font exactement ${number(Number(wattMinutes))} watt-minutes\u00a0: c’est l’énergie de la ligne, avant son seul arrondi.`
          : 'Ensemble, ces jours font exactement l’énergie de la ligne, avant son seul arrondi.'}{' '}
        <Link to={why} className="text-link">
          Voir les quarts d’heure
        </Link>
      </p>
    </div>
  )
}
