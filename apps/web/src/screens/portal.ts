import type { Screen } from './types.ts'

/** The clients’ own space, in the order of its bar. */
export const portal = [
  {
    path: '/client-portal',
    screen: () => import('../features/energy/portal/home.tsx'),
    title: 'Mon espace',
    role: 'client',
    nav: { section: 'portal', icon: 'home', label: 'Accueil' },
  },
  {
    path: '/client-portal/consumption',
    screen: () => import('../features/energy/portal/consumption.tsx'),
    title: 'Ma consommation',
    role: 'client',
    parent: '/client-portal',
    nav: { section: 'portal', icon: 'consumption', label: 'Consommation' },
  },
  {
    path: '/client-portal/production',
    screen: () => import('../features/energy/portal/production.tsx'),
    title: 'Ma production',
    role: 'client',
    parent: '/client-portal',
    nav: { section: 'portal', icon: 'production', label: 'Production' },
  },
  {
    path: '/client-portal/invoices',
    screen: () => import('./portal-invoices.tsx'),
    title: 'Mes factures',
    role: 'client',
    parent: '/client-portal',
    nav: { section: 'portal', icon: 'invoices', label: 'Factures' },
  },
  {
    path: '/client-portal/impact',
    screen: () => import('../features/energy/portal/impact.tsx'),
    title: 'Mon impact',
    role: 'client',
    parent: '/client-portal',
    nav: { section: 'portal', icon: 'impact', label: 'Impact' },
  },
  {
    path: '/client-portal/why',
    screen: () => import('../features/why/mine.tsx'),
    title: 'Pourquoi ce chiffre',
    role: 'client',
    parent: '/client-portal',
  },
  {
    path: '/client-portal/notifications',
    screen: () => import('../features/notifications/portal.tsx'),
    title: 'Mes notifications',
    role: 'client',
    parent: '/client-portal',
    nav: { section: 'portal', icon: 'bell', label: 'Notifications' },
  },
  {
    path: '/client-portal/profile',
    screen: () => import('../features/profile/portal.tsx'),
    title: 'Mon profil',
    role: 'client',
    parent: '/client-portal',
    nav: { section: 'portal', icon: 'user', label: 'Profil' },
  },
] as const satisfies readonly Screen[]
