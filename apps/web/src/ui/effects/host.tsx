import { Suspense, useSyncExternalStore } from 'react'
import { askedEffects } from '../../lib/effects-store.ts'
import { lazy } from '../lazy.tsx'

const EffectsDialog = lazy(() => import('./effects-dialog.tsx'))

/** Where « Ce que cela change » appears, whichever screen asks. */
export function EffectsHost() {
  const asked = useSyncExternalStore(askedEffects.subscribe, askedEffects.read, () => null)
  return (
    asked && (
      <Suspense fallback={null}>
        <EffectsDialog {...asked} />
      </Suspense>
    )
  )
}
