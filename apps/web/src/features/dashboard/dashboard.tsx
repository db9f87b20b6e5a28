import { useSession } from '../../lib/session.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Activity } from './activity.tsx'
import { Attention } from './attention.tsx'
import { Figures } from './figures.tsx'

export default function Dashboard() {
  const { user } = useSession()
  return (
    <>
      <PageHeader
        title="Tableau de bord"
        description={`Bonjour ${user?.firstName ?? ''}. Voici ce qui se passe chez ${user?.companyName ?? ''}.`}
      />
      <div className="grid gap-6">
        <div className="grid gap-6 lg:grid-cols-2">
          <Attention />
          <Activity />
        </div>
        <Figures />
      </div>
    </>
  )
}
