import { DeadLetters } from '../../features/admin/event-forwarding/dead-letters.tsx'
import { FlowsOverview } from '../../features/admin/event-forwarding/overview.tsx'
import { NewRuleButton, RuleList } from '../../features/admin/event-forwarding/rules.tsx'
import { type Panel, TabbedPage } from './tabbed-page.tsx'

const PANELS: Panel[] = [
  { id: 'flux', label: 'Flux', permission: 'flows.read', panel: FlowsOverview },
  { id: 'regles', label: 'Règles', permission: 'flows.read', panel: RuleList, actions: <NewRuleButton /> },
  { id: 'echecs', label: 'Envois échoués', permission: 'flows.read', panel: DeadLetters },
]

/** What happens, who hears of it, and what did not arrive. */
export default function FlowsPage() {
  return (
    <TabbedPage
      title="Flux d’événements"
      description="Ce qui se passe, qui en est prévenu, en combien de temps, et ce qui n’est pas arrivé."
      panels={PANELS}
      by="onglet"
    />
  )
}
