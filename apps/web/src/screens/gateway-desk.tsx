import { Calls } from '../features/gateway/calls.tsx'
import { Installation } from '../features/gateway/installation.tsx'
import { Limits } from '../features/gateway/limits.tsx'
import { DeskTabs, type Panel } from './desk-tabs.tsx'

const PANELS: Panel[] = [
  { id: 'appels', label: 'Appels', permission: 'gateway.read', panel: Calls },
  { id: 'limites', label: 'Limites', permission: 'gateway.read', panel: Limits },
  { id: 'installation', label: 'Toutes les organisations', permission: 'installation.read', panel: Installation },
]

/** Who calls what, how fast it is answered, and how much they may. */
export default function GatewayDesk() {
  return (
    <DeskTabs
      title="Passerelle API"
      description="Les appels des clés et des personnes, leur durée, leurs erreurs et leurs limites."
      panels={PANELS}
      by="onglet"
    />
  )
}
