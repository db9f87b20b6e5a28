import { Health } from '../features/health/desk.tsx'
import { IncidentActions, Incidents } from '../features/incidents/panel.tsx'
import { DeskTabs, type Panel } from './desk-tabs.tsx'

const PANELS: Panel[] = [
  { id: 'mesures', label: 'Mesures', permission: 'installation.read', panel: Health },
  {
    id: 'incidents',
    label: 'Incidents et maintenances',
    permission: 'installation.read',
    panel: Incidents,
    actions: <IncidentActions />,
  },
]

/** The house itself, and what is told of it. */
export default function HealthDesk() {
  return (
    <DeskTabs
      title="Santé de l’installation"
      description="Ce qui est mesuré et ce qui prévient, et ce que l’on en dit à tout le monde."
      panels={PANELS}
      by="onglet"
    />
  )
}
