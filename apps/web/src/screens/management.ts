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
    path: '/client-portal-management',
    screen: () => import('./portal-desk.tsx'),
    title: 'Gestion du portail',
    role: 'admin',
    permission: 'portal.read',
    parent: '/dashboard',
    nav: { section: 'management', icon: 'clients' },
  },
  {
    path: '/participant-portal',
    screen: () => import('../features/portal-management/choose.tsx'),
    title: 'Portail vu par un participant',
    role: 'admin',
    permission: 'portal.read',
    also: ['portal.view'],
    parent: '/client-portal-management',
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
