import { onboarding } from '@voisol/contract/onboarding'
import { Suspense } from 'react'
import { lazy } from '../../components/lazy.tsx'
import { Skeleton } from '../../components/loading.tsx'
import Dashboard from '../../features/analytics/energy/dashboard/dashboard.tsx'
import { Can } from '../../lib/can.tsx'

// Only a company that begins ever loads it.
const Checklist = lazy(async () => ({
  default: (await import('../../features/admin/onboarding/checklist.tsx')).OnboardingChecklist,
}))

const onboardingChecklist = (
  <Can call={onboarding.get}>
    <Suspense fallback={<Skeleton className="h-96 w-full" />}>
      <Checklist leaves />
    </Suspense>
  </Can>
)

export default function DashboardPage() {
  return <Dashboard begin={onboardingChecklist} />
}
