import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { billing, type ToBill } from '@voisol/contract/billing'
import { invoices } from '@voisol/contract/invoices'
import { only } from '../../../lib/can.tsx'
import { money, month, plural } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import type { Days } from '../../../ui/period/so-far.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Tile } from '../../../ui/tile.tsx'
import { monthsLabel, toBillNote } from './money-words.ts'

/** Months that are not closed are computed for it: once in a while is enough. */
const QUARTER_HOUR = 15 * 60_000

const ToBillTile = only(billing.toBill, function ToBillTile() {
  const { data, error } = useQuery({ ...query(billing.toBill, { query: {} }), staleTime: QUARTER_HOUR })
  if (error) return <Tile label="À facturer TTC" figure="–" note="Ce montant n’a pas pu être calculé." />
  if (!data) return <Skeleton className="h-32 w-full" />
  return (
    <Tile label="À facturer TTC" figure={money(data.total.gross)} note={toBillNote(data)}>
      <Waiting months={data.months} />
    </Tile>
  )
})

/** The month to close or issue first. */
function Waiting({ months }: Pick<ToBill, 'months'>) {
  const [first] = months
  if (!first) return null
  const search = new URLSearchParams({ operation: first.operation.id, month: first.month })
  return (
    <span>
      <ButtonLink to={`/billing?${search}`} variant="secondary" size="small">
        {first.state === 'closed' ? 'Émettre' : 'Clôturer'} {month(`${first.month}-01`)}
      </ButtonLink>
    </span>
  )
}

/** What participants were invoiced for these months, what is to be invoiced yet, and what they owe. */
export const Money = only(invoices.figures, function Money({ days }: { days: Days }) {
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
      ? { ratio: total.gross / lastYear.gross - 1, against: monthsLabel(data, -1) }
      : undefined
  return (
    <section aria-label="Facturation" className="grid gap-3">
      <h2 className="text-base font-semibold tracking-[-0.01em]">Facturation</h2>
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3 [&>*]:min-w-0">
        <Tile
          label={`Facturé TTC pour ${monthsLabel(data)}`}
          figure={total.documents > 0 ? money(total.gross) : '–'}
          note={
            total.documents > 0
              ? `${plural(total.documents, 'document')}, avoirs déduits`
              : 'Aucun document n’a été émis pour cette période.'
          }
          change={change}
        />
        <ToBillTile />
        <Tile
          label="Reste dû"
          figure={money(open)}
          note={overdue > 0 ? `dont ${money(overdue)} en retard` : 'Rien n’est en retard'}
        />
      </div>
    </section>
  )
})
