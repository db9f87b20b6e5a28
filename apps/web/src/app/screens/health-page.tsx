import { HealthPanel } from '../../features/admin/health/health-panel.tsx'
import { IncidentActions, IncidentsPanel } from '../../features/admin/incidents/incidents-panel.tsx'
import { type Panel, TabbedPage } from './tabbed-page.tsx'

const PANELS: Panel[] = [
  { id: 'mesures', label: 'Mesures', permission: 'installation.read', panel: HealthPanel },
  {
    id: 'incidents',
    label: 'Incidents et maintenances',
    permission: 'installation.read',
    panel: IncidentsPanel,
    actions: <IncidentActions />,
  },
]

/** The house itself, and what is told of it. */
export default function HealthPage() {
  return (
    <TabbedPage
      title="Santé de l’installation"
      description="Ce qui est mesuré et ce qui prévient, et ce que l’on en dit à tout le monde."
      panels={PANELS}
      by="onglet"
    />
  )
}
