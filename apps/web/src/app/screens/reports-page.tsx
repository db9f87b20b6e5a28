import { lazy } from '../../components/lazy.tsx'
import { type Panel, TabbedPage } from './tabbed-page.tsx'

const PANELS: Panel[] = [
  {
    id: 'modeles',
    label: 'Modèles',
    permission: 'reports.read',
    panel: lazy(() => import('../../features/portal/reports/templates.tsx')),
  },
  {
    id: 'etablis',
    label: 'Rapports établis',
    permission: 'reports.read',
    panel: lazy(() => import('../../features/portal/reports/issued-reports.tsx')),
  },
  {
    id: 'envois',
    label: 'Envois programmés',
    permission: 'reports.read',
    panel: lazy(() => import('../../features/portal/reports/schedules.tsx')),
  },
]

/** What is told on paper of an operation and of those in it: composed, kept and sent. */
export default function ReportsPage() {
  return (
    <TabbedPage
      title="Rapports"
      description="Des documents à votre marque, composés de textes, de chiffres, de graphiques et de tableaux, conservés avec les chiffres dont ils sont faits."
      panels={PANELS}
    />
  )
}
