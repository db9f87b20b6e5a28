import Plus from 'lucide-react/icons/plus'
import { type ReactNode, Suspense } from 'react'
import { useSession } from '../../../lib/session.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazy } from '../../../ui/lazy.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Attention } from './attention.tsx'
import { useCompanyReadingState } from './company-state.ts'

// The figures wait for what the company has received: their program comes meanwhile.
const loadOverview = async () => ({ default: (await import('./overview.tsx')).DashboardOverview })
loadOverview().catch(() => undefined)
const DashboardOverview = lazy(loadOverview)
// Below all the rest: it comes last.
const RecentActivity = lazy(async () => ({ default: (await import('./activity.tsx')).RecentActivity }))
const loadingSkeleton = <Skeleton className="h-96 w-full" />

function DashboardContent({ begin }: { begin: ReactNode }) {
  const { user } = useSession()
  const { state, error, refetch } = useCompanyReadingState()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!state) return loadingSkeleton
  // A company on trial is still being shown around; one that has been here for longer knows its way.
  const { lastDay } = state
  return (
    <>
      {(lastDay === null || user?.trialEndsAt != null || user?.exampleOf != null) && begin}
      <Attention />
      {lastDay !== null && (
        <Suspense fallback={loadingSkeleton}>
          <DashboardOverview lastDay={lastDay} />
        </Suspense>
      )}
      <Suspense fallback={null}>
        <RecentActivity />
      </Suspense>
    </>
  )
}

/** `begin` leads a company that begins. */
export default function Dashboard({ begin }: { begin?: ReactNode }) {
  const { user } = useSession()
  return (
    <>
      <PageHeader
        title="Tableau de bord"
        description={`Bonjour ${user?.firstName ?? ''}. Voici ce qui se passe chez ${user?.companyName ?? ''}.`}
        actions={
          <ButtonLink to="/acc-operations/new" variant="secondary" icon={<Plus aria-hidden="true" />}>
            Nouvelle opération
          </ButtonLink>
        }
      />
      <div className="grid gap-6 [&>*]:min-w-0">
        <DashboardContent begin={begin} />
      </div>
    </>
  )
}
