import { useQuery } from '@tanstack/react-query'
import { type BillingMonth, billing } from '@voisol/contract/billing'
import type { Operation } from '@voisol/contract/operations'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { formatBillingMonthTitle, MONTH_STATE_LABELS } from '../../lib/billing-labels.ts'
import { formatMoney } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { MonthDetail } from './month.tsx'

/** Where the page's own text begins. */
const PAGE_PADDING = 16

/** The month that waits: the oldest one to close since the first that was billed here, else the last one that is over. */
function findNextMonth(items: BillingMonth[]) {
  const first = items.findLastIndex(({ state }) => state === 'issued')
  const since = first < 0 ? items : items.slice(0, first)
  return (
    since.findLast(({ state }) => state === 'ready') ??
    items.find(({ state }) => state !== 'open') ??
    items[1] ??
    items[0]
  )
}

export function MonthsToBill({ operation }: { operation: Pick<Operation, 'id' | 'name'> }) {
  const [search, setSearch] = useSearchParams()
  const { data, error, refetch } = useQuery(query(billing.months, { query: { operationId: operation.id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const chosen = data.items.find(({ month }) => month === search.get('month')) ?? findNextMonth(data.items)
  if (!chosen)
    return (
      <EmptyState
        title="Aucun mois à facturer"
        why="Les mois paraissent ici dès qu’un consommateur participe à l’opération."
        action={<ButtonLink to={`/acc-operations/${operation.id}/participants`}>Ajouter des participants</ButtonLink>}
      />
    )
  const choose = (month: string) =>
    setSearch({ operation: operation.id, month }, { preventScrollReset: true, replace: true })
  return (
    <div className="grid gap-6 lg:grid-cols-[17rem_minmax(0,1fr)] [&>*]:min-w-0">
      <MonthList items={data.items} chosen={chosen} onChoose={choose} />
      <MonthDetail key={chosen.month} operationId={operation.id} month={chosen.month} />
    </div>
  )
}

type MonthListProps = { items: BillingMonth[]; chosen: BillingMonth; onChoose: (month: string) => void }

/** Beside the month all of them, in the page's own scroll; above it a row, which begins at the chosen one. */
function MonthList({ items, chosen, onChoose }: MonthListProps) {
  const row = useRef<HTMLElement>(null)
  useEffect(() => {
    const at = row.current?.querySelector<HTMLElement>('[aria-current]')
    if (row.current && at) row.current.scrollLeft += at.getBoundingClientRect().left - PAGE_PADDING
  }, [])
  return (
    <nav
      ref={row}
      aria-label="Mois de l’opération"
      className="relative max-lg:-mx-4 max-lg:overflow-x-auto max-lg:px-4 max-lg:pb-1"
    >
      <ul className="flex gap-2 lg:flex-col lg:gap-1">
        {items.map((month) => (
          <MonthItem key={month.month} month={month} chosen={month === chosen} onChoose={onChoose} />
        ))}
      </ul>
    </nav>
  )
}

type MonthItemProps = { month: BillingMonth; chosen: boolean; onChoose: (month: string) => void }

function MonthItem({ month, chosen, onChoose }: MonthItemProps) {
  const { label, tone } = MONTH_STATE_LABELS[month.state]
  return (
    <li className="max-lg:shrink-0">
      <button
        type="button"
        aria-current={chosen || undefined}
        onClick={() => onChoose(month.month)}
        className={cx(
          'flex w-full flex-wrap items-center gap-x-2 gap-y-1 rounded-card border px-3 py-2 text-left max-lg:w-44',
          chosen ? 'border-primary-ink bg-primary-soft' : 'border-line bg-card hover:border-control',
        )}
      >
        <span className="mr-auto text-body font-medium">{formatBillingMonthTitle(month.month)}</span>
        {month.totals && <span className="tabular text-[0.8125rem]">{formatMoney(month.totals.gross)}</span>}
        <Badge tone={tone}>{label}</Badge>
      </button>
    </li>
  )
}
