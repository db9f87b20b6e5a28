import { Suspense, useSyncExternalStore } from 'react'
import { pendingImpactConfirmation } from '../../lib/stores.ts'
import { lazy } from '../lazy.tsx'

const ImpactDialog = lazy(() => import('./impact-dialog.tsx'))

/** Where « Ce que cela change » appears, whichever screen asks. */
export function ImpactDialogHost() {
  const confirmation = useSyncExternalStore(
    pendingImpactConfirmation.subscribe,
    pendingImpactConfirmation.read,
    () => null,
  )
  return (
    confirmation && (
      <Suspense fallback={null}>
        <ImpactDialog {...confirmation} />
      </Suspense>
    )
  )
}
