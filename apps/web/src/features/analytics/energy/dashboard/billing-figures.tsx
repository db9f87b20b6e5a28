import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { billing, type ToBill } from '@voisol/contract/billing'
import { invoices } from '@voisol/contract/invoices'
import { ButtonLink } from '../../../../components/button.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import type { DayRange } from '../../../../components/period/period.ts'
import { KpiTile } from '../../../../components/tile.tsx'
import { withAccess } from '../../../../lib/can.tsx'
import { formatCount, formatMoney, formatMonth } from '../../../../lib/format.ts'
import { query } from '../../../../lib/queries.ts'

/** Months that are not closed are computed for it: once in a while is enough. */
const TO_BILL_STALE_MS = 15 * 60_000

const ToBillTile = withAccess(billing.toBill, function ToBillTile() {
  const { data, error } = useQuery({ ...query(billing.toBill, { query: {} }), staleTime: TO_BILL_STALE_MS })
  if (error) return <KpiTile label="À facturer TTC" figure="–" note="Ce montant n’a pas pu être calculé." />
  if (!data) return <Skeleton className="h-32 w-full" />
  return (
    <KpiTile label="À facturer TTC" figure={formatMoney(data.total.gross)} note={describeMonthsToBill(data)}>
      <NextMonthToBill months={data.months} />
    </KpiTile>
  )
})

/** The month to close or issue first. */
function NextMonthToBill({ months }: Pick<ToBill, 'months'>) {
  const [first] = months
  if (!first) return null
  const search = new URLSearchParams({ operation: first.operation.id, month: first.month })
  return (
    <span>
      <ButtonLink to={`/billing?${search}`} variant="secondary" size="small">
        {first.state === 'closed' ? 'Émettre' : 'Clôturer'} {formatMonth(`${first.month}-01`)}
      </ButtonLink>
    </span>
  )
}

/** What participants were invoiced for these months, what is to be invoiced yet, and what they owe. */
export const BillingFigures = withAccess(invoices.figures, function BillingFigures({ days }: { days: DayRange }) {
  const { data, error, refetch } = useQuery({
    ...query(invoices.figures, { query: { from: days.from, to: days.to } }),
    placeholderData: keepPreviousData,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  // A company that has issued nothing has nothing to read here.
  if (!data || data.none) return null
  const { total, lastYear, open, overdue } = data
  const change =
    lastYear && lastYear.gross > 0 && total.gross > 0
      ? { ratio: total.gross / lastYear.gross - 1, against: formatMonthRange(data, -1) }
      : undefined
  return (
    <section aria-label="Facturation" className="grid gap-3">
      <h2 className="text-base font-semibold tracking-[-0.01em]">Facturation</h2>
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3 [&>*]:min-w-0">
        <KpiTile
          label={`Facturé TTC pour ${formatMonthRange(data)}`}
          figure={total.documents > 0 ? formatMoney(total.gross) : '–'}
          note={
            total.documents > 0
              ? `${formatCount(total.documents, 'document')}, avoirs déduits`
              : 'Aucun document n’a été émis pour cette période.'
          }
          change={change}
        />
        <ToBillTile />
        <KpiTile
          label="Reste dû"
          figure={formatMoney(open)}
          note={overdue > 0 ? `dont ${formatMoney(overdue)} en retard` : 'Rien n’est en retard'}
        />
      </div>
    </section>
  )
})

const shiftMonths = (day: string, months: number) => {
  const date = new Date(`${day}T12:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + months)
  return date.toISOString().slice(0, 10)
}

/** « septembre 2026 », « 2026 », « mars à mai 2026 »: the whole months that a period touches, or those of other years. */
export function formatMonthRange({ from, to }: { from: string; to: string }, years = 0): string {
  const [first, last] = [shiftMonths(from, 12 * years), shiftMonths(to, 12 * years - 1)]
  if (first.slice(0, 7) === last.slice(0, 7)) return formatMonth(first)
  if (first.endsWith('-01-01') && last.slice(0, 7) === `${first.slice(0, 4)}-12`) return first.slice(0, 4)
  const name = formatMonth(first)
  return `${first.slice(0, 4) === last.slice(0, 4) ? name.replace(/ \d+$/, '') : name} à ${formatMonth(last)}`
}

/** How many months it is made of, and how many are not counted in it. */
export function describeMonthsToBill({ months, more }: Pick<ToBill, 'months' | 'more'>): string {
  const count = (state: string) => months.filter((one) => one.state === state).length
  const [closed, ready] = [count('closed'), count('ready')]
  const parts = [
    ...(closed ? [formatCount(closed, 'mois clos à émettre', 'mois clos à émettre')] : []),
    ...(ready ? [formatCount(ready, 'mois à clôturer', 'mois à clôturer')] : []),
  ]
  const summary = parts.length ? parts.join(', ') : 'Tout ce qui peut l’être est facturé'
  return more > 0
    ? `${summary}\u00a0; ${formatCount(more, 'autre mois n’est pas compté', 'autres mois ne sont pas comptés')}`
    : summary
}
