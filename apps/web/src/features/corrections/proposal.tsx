import type { Review } from '@voisol/contract/corrections'
import { withDe } from '@voisol/contract/elision'
import { Suspense } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { formatMonthYear } from '../../ui/period/label.ts'
import { Skeleton } from '../../ui/skeleton.tsx'

const CorrectionChanges = lazy(() => import('./changes.tsx'))

/** What a regularisation changes, buyer by buyer, before anything is issued. */
export const CorrectionDialog = ({ review }: { review: Review }) => (
  <Dialog
    title={`Régularisation ${withDe(formatMonthYear(review.month))}`}
    description={review.operation}
    width="wide"
    trigger={
      <Button variant="secondary" size="small">
        {review.state === 'open' ? 'Examiner' : 'Voir'}
      </Button>
    }
  >
    <Suspense fallback={<Skeleton className="h-64 w-full" />}>
      <CorrectionChanges id={review.id} />
    </Suspense>
  </Dialog>
)
