import { useQuery } from '@tanstack/react-query'
import { type BillingMonth, billing } from '@voisol/contract/billing'
import type { Operation } from '@voisol/contract/operations'
import { useSearchParams } from 'react-router'
import { MONTH_STATES, monthTitle } from '../../lib/billing-labels.ts'
import { money } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Month } from './month.tsx'

/** The month that waits: the oldest one to close since the first that was billed here, else the last one that is over. */
function nextOf(items: BillingMonth[]) {
  const first = items.findLastIndex(({ state }) => state === 'issued')
  const since = first < 0 ? items : items.slice(0, first)
  return (
    since.findLast(({ state }) => state === 'ready') ??
    items.find(({ state }) => state !== 'open') ??
    items[1] ??
    items[0]
  )
}

export function Months({ operation }: { operation: Pick<Operation, 'id' | 'name'> }) {
  const [search, setSearch] = useSearchParams()
  const { data, error, refetch } = useQuery(query(billing.months, { query: { operationId: operation.id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const chosen = data.items.find(({ month }) => month === search.get('month')) ?? nextOf(data.items)
  if (!chosen)
    return (
      <EmptyState
        title="Aucun mois à facturer"
        why="Les mois paraissent ici dès qu’un consommateur participe à l’opération."
      />
    )
  const choose = (month: string) =>
    setSearch({ operation: operation.id, month }, { preventScrollReset: true, replace: true })
  return (
    <div className="grid gap-6 lg:grid-cols-[17rem_minmax(0,1fr)] [&>*]:min-w-0">
      <nav aria-label="Mois de l’opération" className="max-lg:-mx-4 max-lg:overflow-x-auto max-lg:px-4">
        <ul className="flex gap-2 lg:sticky lg:top-20 lg:max-h-[calc(100vh-7rem)] lg:flex-col lg:overflow-y-auto lg:pr-1">
          {data.items.map((month) => (
            <MonthItem key={month.month} month={month} chosen={month === chosen} onChoose={choose} />
          ))}
        </ul>
      </nav>
      <Month key={chosen.month} operationId={operation.id} month={chosen.month} />
    </div>
  )
}

/** The chosen month may stand far down the list, or far along it on a telephone: it is brought into sight, and the page stays. */
function bringIntoSight(item: HTMLLIElement | null) {
  for (const box of [item?.closest('ul'), item?.closest('nav')]) {
    if (!item || !box) continue
    const [own, around] = [item.getBoundingClientRect(), box.getBoundingClientRect()]
    box.scrollLeft += own.left - around.left - (around.width - own.width) / 2
    box.scrollTop += own.top - around.top - (around.height - own.height) / 2
  }
}

type ItemProps = { month: BillingMonth; chosen: boolean; onChoose: (month: string) => void }

function MonthItem({ month, chosen, onChoose }: ItemProps) {
  const { label, tone } = MONTH_STATES[month.state]
  return (
    <li ref={chosen ? bringIntoSight : null} className="max-lg:shrink-0">
      <button
        type="button"
        aria-current={chosen || undefined}
        onClick={() => onChoose(month.month)}
        className={cx(
          'grid w-full gap-1 rounded-card border px-3 py-2.5 text-left max-lg:w-44',
          chosen ? 'border-primary-ink bg-primary-soft' : 'border-line bg-card hover:border-control',
        )}
      >
        <span className="flex items-center justify-between gap-2">
          <span className="truncate text-body font-medium">{monthTitle(month.month)}</span>
          {month.totals && <span className="tabular text-[0.8125rem]">{money(month.totals.gross)}</span>}
        </span>
        <span>
          <Badge tone={tone}>{label}</Badge>
        </span>
      </button>
    </li>
  )
}
