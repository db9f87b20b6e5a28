import type { Screen } from './types.ts'

/** The part « Facturation » of the sidebar, in its order, and the screens under it. */
export const money = [
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
