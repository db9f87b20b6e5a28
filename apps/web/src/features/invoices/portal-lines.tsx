import { useQuery } from '@tanstack/react-query'
import { invoices } from '@voisol/contract/invoices'
import { query } from '../../lib/queries.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { InvoiceLines } from './lines.tsx'

/** The lines as printed, for who wants to see where each cent comes from. */
export function PortalLines({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(query(invoices.get, { params: { id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-48 w-full" />
  const { operation, buyer } = data.snapshot
  const why = (month: string) =>
    `/client-portal/why?${new URLSearchParams({ operation: operation.id ?? '', membre: buyer.id, mois: month })}`
  return (
    <Card
      title="Ligne par ligne"
      description="Ouvrez une ligne pour voir ses jours, puis un jour pour ses quarts d’heure."
    >
      <InvoiceLines id={id} snapshot={data.snapshot} why={why} />
    </Card>
  )
}
