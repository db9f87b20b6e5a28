import { useQuery } from '@tanstack/react-query'
import { supplierBills } from '@voisol/contract/supplier-bills'
import { Can } from '../../lib/can.tsx'
import { query } from '../../lib/queries.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { SupplierBillCheckForm } from './check-form.tsx'
import { CheckedBills } from './history.tsx'

/** Whether suppliers took the local share off right: one invoice at a time, and those that were checked. */
export default function SupplierBills() {
  const { data, error, refetch } = useQuery(query(supplierBills.list, {}))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-64 w-full" />
  if (data.points.length === 0) return null
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2 [&>*]:min-w-0">
      <Can call={supplierBills.check}>
        <Card
          title="Vérifier une facture de fournisseur"
          description="Un fournisseur doit déduire l’énergie locale reçue. L’a-t-il fait, au kWh près&#160;?"
        >
          <SupplierBillCheckForm points={data.points} />
        </Card>
      </Can>
      <Card title="Factures vérifiées">
        {data.items.length > 0 ? (
          <CheckedBills bills={data.items} />
        ) : (
          <p className="text-body text-ink-soft">Aucune facture n’a encore été vérifiée.</p>
        )}
      </Card>
    </div>
  )
}
