import Plus from 'lucide-react/icons/plus'
import { Suspense } from 'react'
import { useSession } from '../../../lib/session.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazy } from '../../../ui/lazy.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Activity } from './activity.tsx'
import { Attention } from './attention.tsx'
import { useCompanyState, useConnected } from './company-state.ts'

// Only a company that begins ever loads it.
const FirstSteps = lazy(async () => ({ default: (await import('./first-steps.tsx')).FirstSteps }))
// The figures wait for what the company has received: their program comes meanwhile.
const loadOverview = async () => ({ default: (await import('./overview.tsx')).Overview })
loadOverview().catch(() => undefined)
const Overview = lazy(loadOverview)
const waiting = <Skeleton className="h-96 w-full" />

function Content() {
  const { user } = useSession()
  const { state, error, refetch } = useCompanyState()
  const connected = useConnected()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!state) return waiting
  const hasCurves = state.lastDay !== null
  const { operationId, participants } = state
  // A company on trial is still being shown around; one that has been here for longer knows its way.
  const begins = !hasCurves || (user?.trialEndsAt != null && connected === false)
  const steps = begins && (
    <Suspense fallback={waiting}>
      <FirstSteps
        operationId={operationId}
        participants={participants}
        hasCurves={hasCurves}
        companyId={user?.companyId ?? 0}
        connected={connected ?? false}
      />
    </Suspense>
  )
  if (state.lastDay !== null)
    return (
      <>
        {steps}
        <Attention />
        <Suspense fallback={waiting}>
          <Overview lastDay={state.lastDay} />
        </Suspense>
        <Activity />
      </>
    )
  return (
    <>
      {steps}
      <Attention />
      <Activity />
    </>
  )
}

export default function Dashboard() {
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
        <Content />
      </div>
    </>
  )
}
