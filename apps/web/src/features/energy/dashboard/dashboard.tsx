import Plus from 'lucide-react/icons/plus'
import { type ReactNode, Suspense } from 'react'
import { useSession } from '../../../lib/session.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazy } from '../../../ui/lazy.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Attention } from './attention.tsx'
import { useCompanyState } from './company-state.ts'

// The figures wait for what the company has received: their program comes meanwhile.
const loadOverview = async () => ({ default: (await import('./overview.tsx')).Overview })
loadOverview().catch(() => undefined)
const Overview = lazy(loadOverview)
// Below all the rest: it comes last.
const Activity = lazy(async () => ({ default: (await import('./activity.tsx')).Activity }))
const waiting = <Skeleton className="h-96 w-full" />

function Content({ begin }: { begin: ReactNode }) {
  const { user } = useSession()
  const { state, error, refetch } = useCompanyState()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!state) return waiting
  // A company on trial is still being shown around; one that has been here for longer knows its way.
  const { lastDay } = state
  return (
    <>
      {(lastDay === null || user?.trialEndsAt != null || user?.exampleOf != null) && begin}
      <Attention />
      {lastDay !== null && (
        <Suspense fallback={waiting}>
          <Overview lastDay={lastDay} />
        </Suspense>
      )}
      <Suspense fallback={null}>
        <Activity />
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
        <Content begin={begin} />
      </div>
    </>
  )
}
