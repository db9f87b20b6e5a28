import { lazy } from '../../components/lazy.tsx'
import { type Panel, TabbedPage } from './tabbed-page.tsx'

export const BILLING_PANELS: Panel[] = [
  {
    id: 'mois',
    label: 'Mois',
    group: 'Facturer',
    permission: 'billing.read',
    panel: lazy(() => import('../../features/billing/month-closing/billing.tsx')),
  },
  {
    id: 'regularisations',
    label: 'Régularisations',
    group: 'Facturer',
    permission: 'billing.read',
    panel: lazy(() => import('../../features/billing/corrections/list.tsx')),
  },
  {
    id: 'encaissements',
    label: 'Encaissements',
    group: 'Encaisser',
    permission: 'payments.read',
    panel: lazy(() => import('../../features/payments/payments/list.tsx')),
  },
  {
    id: 'banque',
    label: 'Banque',
    group: 'Encaisser',
    permission: 'bank.read',
    panel: lazy(() => import('../../features/payments/bank/bank-lines.tsx')),
  },
  {
    id: 'prelevements',
    label: 'Prélèvements',
    group: 'Encaisser',
    permission: 'bank.read',
    panel: lazy(() => import('./collection-panel.tsx')),
  },
  {
    id: 'relances',
    label: 'Relances',
    group: 'Encaisser',
    permission: 'reminders.read',
    panel: lazy(() => import('../../features/payments/reminders/reminders-page.tsx')),
  },
  {
    id: 'releves',
    label: 'Relevés des producteurs',
    group: 'Reverser',
    permission: 'parties.read',
    panel: lazy(() => import('../../features/payments/statements/list.tsx')),
  },
  {
    id: 'reversements',
    label: 'Reversements',
    group: 'Reverser',
    permission: 'bank.read',
    panel: lazy(() => import('../../features/payments/payouts/payouts-page.tsx')),
  },
  {
    id: 'en-ligne',
    label: 'Paiements en ligne',
    group: 'Encaisser',
    permission: 'payments.read',
    panel: lazy(() => import('../../features/payments/online/payments.tsx')),
  },
  {
    id: 'fournisseurs',
    label: 'Factures des fournisseurs',
    group: 'Facturer',
    permission: 'participants.read',
    panel: lazy(() => import('../../features/accounting/supplier-bills/bills.tsx')),
  },
  {
    id: 'lots',
    label: 'Charges par lot',
    group: 'Copropriété',
    permission: 'parties.read',
    panel: lazy(() => import('../../features/billing/lots/lots-tab.tsx')),
  },
  {
    id: 'assemblee',
    label: 'Assemblée',
    group: 'Copropriété',
    permission: 'invoices.read',
    panel: lazy(() => import('../../features/analytics/assembly/assembly-tab.tsx')),
  },
]

/** From shared energy to invoices, and what comes after them: corrections, and what producers are told. */
export default function BillingPage() {
  return (
    <TabbedPage
      title="Facturer et encaisser"
      description="Clôturer un mois et émettre ses factures, régulariser ce qui change, encaisser, relancer et reverser."
      panels={BILLING_PANELS}
    />
  )
}
