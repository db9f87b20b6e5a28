import { GatewayCalls, GatewayLimits, InstallationCalls } from '../../features/admin/gateway/gateway-panels.tsx'
import { type Panel, TabbedPage } from './tabbed-page.tsx'

const PANELS: Panel[] = [
  { id: 'appels', label: 'Appels', permission: 'gateway.read', panel: GatewayCalls },
  { id: 'limites', label: 'Limites', permission: 'gateway.read', panel: GatewayLimits },
  { id: 'installation', label: 'Toutes les organisations', permission: 'installation.read', panel: InstallationCalls },
]

/** Who calls what, how fast it is answered, and how much they may. */
export default function GatewayPage() {
  return (
    <TabbedPage
      title="Passerelle API"
      description="Les appels des clés et des personnes, leur durée, leurs erreurs et leurs limites."
      panels={PANELS}
      by="onglet"
    />
  )
}
