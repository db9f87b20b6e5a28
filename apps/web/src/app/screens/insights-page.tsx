import { lazy } from '../../components/lazy.tsx'
import { InsightsPanel } from '../../features/analytics/insights/findings.tsx'
import { type Panel, TabbedPage } from './tabbed-page.tsx'

const PANELS: Panel[] = [
  { id: 'constats', label: 'Constats', permission: 'insights.read', panel: InsightsPanel },
  {
    id: 'cle',
    label: 'Meilleure clé',
    permission: 'insights.read',
    also: ['operations.read'],
    panel: lazy(() => import('../../features/analytics/insights/key-vote.tsx')),
  },
  {
    id: 'rejoindre',
    label: 'Qui devrait rejoindre\u00a0?',
    permission: 'projects.read',
    also: ['operations.read'],
    panel: lazy(() => import('../../features/analytics/insights/joins.tsx')),
  },
  {
    id: 'acheminement',
    label: 'Acheminement',
    permission: 'insights.read',
    also: ['operations.read'],
    panel: lazy(() => import('../../features/analytics/insights/grid-tariffs.tsx')),
  },
]

/** What rules found in the curves, and what could be done better. */
export default function InsightsPage() {
  return (
    <TabbedPage
      title="Constats"
      description="Des règles chiffrées, appliquées chaque nuit à vos courbes : chaque constat montre ses nombres, son seuil, son enjeu et ce qu’il y a à faire."
      panels={PANELS}
    />
  )
}
