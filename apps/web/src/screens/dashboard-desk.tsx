import { onboarding } from '@voisol/contract/onboarding'
import { Suspense } from 'react'
import Dashboard from '../features/energy/dashboard/dashboard.tsx'
import { Can } from '../lib/can.tsx'
import { lazy } from '../ui/lazy.tsx'
import { Skeleton } from '../ui/loading.tsx'

// Only a company that begins ever loads it.
const Checklist = lazy(async () => ({
  default: (await import('../features/onboarding/checklist.tsx')).OnboardingChecklist,
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
