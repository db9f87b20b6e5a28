import { useQuery } from '@tanstack/react-query'
import { parties } from '@voisol/contract/parties'
import { Suspense } from 'react'
import { useCan } from '../../lib/can.tsx'
import { query } from '../../lib/queries.ts'
import { FactList } from '../card.tsx'
import { Dialog } from '../dialog.tsx'
import { ErrorState } from '../error-state.tsx'
import { PartyIssues } from '../issue-list.tsx'
import { lazy } from '../lazy.tsx'
import { Skeleton } from '../loading.tsx'
import { buildBuyerFacts } from './buyer-facts.tsx'

const BuyerForm = lazy(() => import('./buyer-form.tsx'))

/** How somebody is invoiced: changed by whoever may, read by the others. */
export default function BuyerDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(query(parties.buyer, { params: { id } }))
  const can = useCan()
  return (
    <Dialog
      title={data ? data.sheetName : 'Acheteur'}
      description="L’identité imprimée sur ses factures. Celles qui sont émises gardent la leur."
      width="medium"
      open
      onOpenChange={(open) => !open && onClose()}
    >
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-64 w-full" />}
      {data && (
        <div className="grid gap-5">
          <PartyIssues issues={data.issues} />
          {can(parties.saveBuyer) ? (
            <Suspense fallback={<Skeleton className="h-64 w-full" />}>
              <BuyerForm key={data.version} buyer={data} onDone={onClose} />
            </Suspense>
          ) : (
            <FactList facts={buildBuyerFacts(data)} />
          )}
        </div>
      )}
    </Dialog>
  )
}
