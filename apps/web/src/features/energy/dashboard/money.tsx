import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { billing, type ToBill } from '@voisol/contract/billing'
import { invoices } from '@voisol/contract/invoices'
import { withAccess } from '../../../lib/can.tsx'
import { formatCount, formatMoney, formatMonth } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import type { DayRange } from '../../../ui/period/so-far.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { KpiTile } from '../../../ui/tile.tsx'
import { describeMonthsToBill, formatMonthRange } from './money-words.ts'

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
