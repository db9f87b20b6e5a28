import { PlatformInvoices } from '../features/subscription/invoices.tsx'
import { Subscribers } from '../features/subscription/keeper.tsx'
import { Plan } from '../features/subscription/plan.tsx'
import { DeskTabs, type Panel } from './desk-tabs.tsx'

const PANELS: Panel[] = [
  { id: 'formule', label: 'Formule', permission: 'subscription.read', panel: Plan },
  { id: 'factures', label: 'Factures', permission: 'subscription.read', panel: PlatformInvoices },
  { id: 'organisations', label: 'Toutes les organisations', permission: 'installation.read', panel: Subscribers },
]

/** What the company subscribes to, what it is asked for it, and for the keeper what all of them have. */
export default function SubscriptionDesk() {
  return (
    <DeskTabs
      title="Abonnement"
      description="Votre formule, ses options et ses factures."
      panels={PANELS}
      by="onglet"
    />
  )
}
