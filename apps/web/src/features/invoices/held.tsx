import { useQuery } from '@tanstack/react-query'
import { corrections } from '@voisol/contract/corrections'
import { formatSignedMoney } from '../../lib/billing-labels.ts'
import { withAccess } from '../../lib/can.tsx'
import { formatMonth } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Card } from '../../ui/card.tsx'

/** Cents of a buyer that no document carries yet, and what becomes of them; nothing where there are none. */
export const WithheldCents = withAccess(corrections.held, function WithheldCents({ buyerId }: { buyerId: string }) {
  const { data } = useQuery(query(corrections.held, { query: { buyerId } }))
  if (!data || data.items.length === 0) return null
  return (
    <Card title="Centimes retenus" description={data.sentence}>
      <dl className="grid max-w-xl gap-1.5 text-body">
        {data.items.map((one) => (
          <div key={`${one.month} ${one.sellerId} ${one.kind}`} className="flex items-baseline justify-between gap-4">
            <dt className="min-w-0 first-letter:uppercase">
              {formatMonth(one.month)}, {one.seller}
            </dt>
            <dd className="tabular shrink-0 font-medium">{formatSignedMoney(one.gross)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
})
