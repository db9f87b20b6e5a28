import { Suspense } from 'react'
import PortalHome from '../features/energy/portal/home.tsx'
import { lazy } from '../ui/lazy.tsx'

const SinceVisit = lazy(async () => ({ default: (await import('../features/visits/since-visit.tsx')).SinceVisit }))

/** A client’s first screen, with what has changed since they were last here. */
export default function PortalHomeScreen() {
  return (
    <PortalHome>
      <Suspense fallback={null}>
        <SinceVisit />
      </Suspense>
    </PortalHome>
  )
}
