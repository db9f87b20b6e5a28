import { PlatformInvoices } from '../../features/admin/subscription/invoices.tsx'
import { SubscriptionPlan } from '../../features/admin/subscription/plan.tsx'
import { SubscribedCompanies } from '../../features/admin/subscription/subscribed-companies.tsx'
import { type Panel, TabbedPage } from './tabbed-page.tsx'

const PANELS: Panel[] = [
  { id: 'formule', label: 'Formule', permission: 'subscription.read', panel: SubscriptionPlan },
  { id: 'factures', label: 'Factures', permission: 'subscription.read', panel: PlatformInvoices },
  {
    id: 'organisations',
    label: 'Toutes les organisations',
    permission: 'installation.read',
    panel: SubscribedCompanies,
  },
]

/** What the company subscribes to, what it is asked for it, and for the keeper what all of them have. */
export default function SubscriptionPage() {
  return (
    <TabbedPage
      title="Abonnement"
      description="Votre formule, ses options et ses factures."
      panels={PANELS}
      by="onglet"
    />
  )
}
