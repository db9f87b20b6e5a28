import { lazy } from '../../components/lazy.tsx'
import { type Panel, TabbedPage } from './tabbed-page.tsx'

export const ADVANCED_BILLING_PANELS: Panel[] = [
  {
    id: 'tarifs',
    label: 'Tarifs',
    group: 'Prix',
    permission: 'tariffs.read',
    panel: lazy(() => import('../../features/billing/tariffs/tariffs-tab.tsx')),
  },
  {
    id: 'frais',
    label: 'Frais et remises',
    group: 'Prix',
    permission: 'tariffs.read',
    panel: lazy(() => import('../../features/billing/tariffs/terms-tab.tsx')),
  },
  {
    id: 'indices',
    label: 'Indices',
    group: 'Prix',
    permission: 'tariffs.read',
    panel: lazy(() => import('../../features/billing/tariffs/indexes-tab.tsx')),
  },
  {
    id: 'sellers',
    label: 'Vendeurs et mandats',
    group: 'Qui vend, qui achète',
    permission: 'parties.read',
    panel: lazy(() => import('../../features/billing/parties/sellers.tsx')),
  },
  {
    id: 'buyers',
    label: 'Acheteurs',
    group: 'Qui vend, qui achète',
    permission: 'parties.read',
    panel: lazy(() => import('../../features/billing/parties/buyers.tsx')),
  },
  {
    id: 'settings',
    label: 'Réglages légaux',
    group: 'Règles et comptes',
    permission: 'parties.read',
    panel: lazy(() => import('../../features/billing/settings/legal-settings.tsx')),
  },
  {
    id: 'comptes',
    label: 'Comptes bancaires',
    group: 'Moyens de paiement',
    permission: 'bank.read',
    panel: lazy(() => import('../../features/payments/bank/accounts.tsx')),
  },
  {
    id: 'reprise',
    label: 'Reprise',
    group: 'Règles et comptes',
    permission: 'takeovers.read',
    panel: lazy(() => import('../../features/accounting/takeovers/takeovers.tsx')),
  },
  {
    id: 'paiement-en-ligne',
    label: 'Paiement en ligne',
    group: 'Moyens de paiement',
    permission: 'bank.read',
    panel: lazy(() => import('../../features/payments/online/online-settings.tsx')),
  },
  {
    id: 'plan-comptable',
    label: 'Plan comptable',
    group: 'Règles et comptes',
    permission: 'books.read',
    panel: lazy(() => import('../../features/accounting/books/account-chart-tab.tsx')),
  },
]

/** What invoices are made of, beside energy: prices, parties, and what the law asks for. */
export default function AdvancedBillingPage() {
  return (
    <TabbedPage
      title="Facturation avancée"
      description="Les prix, ceux qui vendent et achètent, et ce que la loi demande à une facture."
      panels={ADVANCED_BILLING_PANELS}
    />
  )
}
