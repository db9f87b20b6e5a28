import Plus from 'lucide-react/icons/plus'
import { useSession } from '../../lib/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Activity } from './activity.tsx'
import { Attention } from './attention.tsx'
import { useCompanyState } from './company-state.ts'
import { FirstSteps } from './first-steps.tsx'
import { Overview } from './overview.tsx'

function Content() {
  const companyId = useSession().user?.companyId ?? 0
  const { state, error, refetch } = useCompanyState()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!state) return <Skeleton className="h-96 w-full" />
  if (state.lastDay !== null)
    return (
      <>
        <Attention />
        <Overview lastDay={state.lastDay} />
        <Activity />
      </>
    )
  return (
    <>
      <FirstSteps operationId={state.operationId} participants={state.participants} companyId={companyId} />
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
