import { useQuery } from '@tanstack/react-query'
import type { InvoiceRow } from '@voisol/contract/invoice-views'
import { online } from '@voisol/contract/online'
import { MIN_ONLINE_PAYMENT_CENTS } from '@voisol/contract/online-views'
import { ButtonLink } from '../../../components/button.tsx'
import { query } from '../../../lib/queries.ts'

/** Where its seller can be paid online and something is owed. */
export default function PayLink({ row }: { row: InvoiceRow }) {
  const { data } = useQuery(query(online.sellers, {}))
  const owed = (row.state === 'due' || row.state === 'overdue') && row.open >= MIN_ONLINE_PAYMENT_CENTS
  if (!owed || !data?.sellerIds.includes(row.seller.id)) return null
  return (
    <ButtonLink to={`/client-portal/checkout/${row.id}`} size="large" className="w-full sm:w-auto">
      Payer en ligne
    </ButtonLink>
  )
}
