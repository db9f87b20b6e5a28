import type { Screen } from './types.ts'

const billing = () => import('./billing-desk.tsx')
const invoices = () => import('../features/invoices/list.tsx')
const invoice = () => import('../features/invoices/detail.tsx')

/** The part « Facturation » of the sidebar, in its order, and the screens under it. */
export const money = [
  {
    path: '/billing',
    screen: billing,
    title: 'Clôture des mois',
    role: 'admin',
    permission: 'billing.read',
    also: ['operations.read'],
    parent: '/dashboard',
    nav: { section: 'money', icon: 'billing' },
  },
  {
    path: '/dashboard/:companyId/billing',
    screen: billing,
    title: 'Clôture des mois',
    role: 'admin',
    permission: 'billing.read',
    also: ['operations.read'],
    parent: '/dashboard',
  },
  {
    path: '/invoices',
    screen: invoices,
    title: 'Factures',
    role: 'admin',
    permission: 'invoices.read',
    parent: '/dashboard',
    nav: { section: 'money', icon: 'invoices' },
  },
  {
    path: '/dashboard/invoices',
    screen: invoices,
    title: 'Factures',
    role: 'admin',
    permission: 'invoices.read',
    parent: '/dashboard',
  },
  {
    path: '/invoice/:id',
    screen: invoice,
    title: 'Facture',
    role: 'admin',
    permission: 'invoices.read',
    parent: '/invoices',
  },
  {
    path: '/dashboard/invoice/:id',
    screen: invoice,
    title: 'Facture',
    role: 'admin',
    permission: 'invoices.read',
    parent: '/invoices',
  },
  {
    path: '/dashboard/payment/:invoiceId',
    screen: () => import('../features/online/office-payment.tsx'),
    title: 'Encaisser en ligne',
    role: 'admin',
    permission: 'payments.write',
    also: ['payments.read'],
    parent: '/invoices',
  },
  {
    path: '/dashboard/invoices/success',
    screen: () => import('../features/online/office-success.tsx'),
    title: 'Suivi du paiement',
    role: 'admin',
    permission: 'payments.read',
    parent: '/invoices',
  },
  {
    path: '/participant-billing',
    screen: () => import('../features/invoices/accounts.tsx'),
    title: 'Comptes des acheteurs',
    role: 'admin',
    permission: 'invoices.read',
    parent: '/invoices',
    nav: { section: 'money', icon: 'accounts' },
  },
  {
    path: '/advanced-billing',
    screen: () => import('./advanced-billing.tsx'),
    title: 'Facturation avancée',
    role: 'admin',
    permission: 'tariffs.read',
    also: ['operations.read'],
    parent: '/dashboard',
    nav: { section: 'money', icon: 'tariffs', label: 'Tarifs et réglages' },
  },
] as const satisfies readonly Screen[]
