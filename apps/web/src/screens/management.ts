import type { Screen } from './types.ts'

const users = () => import('./users-desk.tsx')
const settings = () => import('./settings-desk.tsx')
const whiteLabel = () => import('./white-label-desk.tsx')
const support = () => import('../features/support/office.tsx')
const notifications = () => import('../features/notifications/list.tsx')

/** The part « Gestion » of the sidebar, and what every account has: its profile and its notifications. */
export const management = [
  {
    path: '/users',
    screen: users,
    title: 'Utilisateurs',
    role: 'admin',
    permission: 'users.read',
    parent: '/dashboard',
    nav: { section: 'management', icon: 'users' },
  },
  {
    path: '/dashboard/user-management',
    screen: users,
    title: 'Utilisateurs',
    role: 'admin',
    permission: 'users.read',
    parent: '/dashboard',
  },
  {
    path: '/dashboard/:companyId/user-management',
    screen: users,
    title: 'Utilisateurs',
    role: 'admin',
    permission: 'users.read',
    parent: '/dashboard',
  },
  {
    path: '/settings',
    screen: settings,
    title: 'Paramètres',
    role: 'admin',
    permission: 'companies.read',
    parent: '/dashboard',
    nav: { section: 'management', icon: 'settings' },
  },
  {
    path: '/dashboard/settings',
    screen: settings,
    title: 'Paramètres',
    role: 'admin',
    permission: 'companies.read',
    parent: '/dashboard',
  },
  {
    path: '/white-label',
    screen: whiteLabel,
    title: 'Marque blanche',
    role: 'admin',
    permission: 'companies.read',
    parent: '/settings',
    nav: { section: 'management', icon: 'brand' },
  },
  {
    path: '/dashboard/white-label',
    screen: whiteLabel,
    title: 'Marque blanche',
    role: 'admin',
    permission: 'companies.read',
    parent: '/settings',
  },
  {
    path: '/subscription-plans',
    screen: () => import('./subscription-desk.tsx'),
    title: 'Abonnement',
    role: 'admin',
    permission: 'subscription.read',
    parent: '/settings',
    nav: { section: 'management', icon: 'accounts' },
  },
  {
    path: '/usage-monitoring',
    screen: () => import('../features/usage/usage.tsx'),
    title: 'Utilisation',
    role: 'admin',
    permission: 'subscription.read',
    parent: '/subscription-plans',
    nav: { section: 'management', icon: 'gateway' },
  },
  {
    path: '/settings/profile',
    screen: () => import('../features/profile/admin.tsx'),
    title: 'Mon profil',
    role: 'admin',
    parent: '/settings',
  },
  {
    path: '/support',
    screen: support,
    title: 'Support',
    role: 'admin',
    parent: '/dashboard',
    nav: { section: 'management', icon: 'support' },
  },
  { path: '/dashboard/support', screen: support, title: 'Support', role: 'admin', parent: '/dashboard' },
  {
    path: '/faq-autoconsommation',
    screen: () => import('../features/support/faq.tsx'),
    title: 'Questions fréquentes',
    role: 'admin',
    parent: '/support',
  },
  { path: '/notifications', screen: notifications, title: 'Notifications', role: 'admin', parent: '/dashboard' },
  {
    path: '/dashboard/notifications',
    screen: notifications,
    title: 'Notifications',
    role: 'admin',
    parent: '/dashboard',
  },
] as const satisfies readonly Screen[]
