import { Suspense } from 'react'
import { lazy } from '../../components/lazy.tsx'
import PortalHome from '../../features/analytics/energy/portal/home.tsx'

const SinceVisit = lazy(async () => ({
  default: (await import('../../features/portal/visits/since-visit.tsx')).SinceVisit,
}))
const Latest = lazy(async () => ({
  default: (await import('../../features/portal/messages/latest-messages.tsx')).LatestMessages,
}))

/** A client’s first screen, with what has changed since they were last here and what was written to them. */
export default function PortalHomeScreen() {
  return (
    <PortalHome
      news={
        <Suspense fallback={null}>
          <SinceVisit />
        </Suspense>
      }
      messages={
        <Suspense fallback={null}>
          <Latest />
        </Suspense>
      }
    />
  )
}
