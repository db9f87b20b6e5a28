import { Suspense, useSyncExternalStore } from 'react'
import { pendingImpactConfirmation } from '../../lib/effects-store.ts'
import { lazy } from '../lazy.tsx'

const ImpactDialog = lazy(() => import('./effects-dialog.tsx'))

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
