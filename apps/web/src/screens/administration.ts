import type { Screen } from './types.ts'

const seo = () => import('../features/seo/desk.tsx')

/** The part « Administration » of the sidebar, in its order; the desks of the public site are among it. */
export const administration = [
  {
    path: '/admin/bookings',
    screen: () => import('./bookings-desk.tsx'),
    title: 'Réservations',
    role: 'admin',
    permission: 'bookings.read',
    parent: '/dashboard',
    nav: { section: 'administration', icon: 'calendar' },
  },
  {
    path: '/admin/seo',
    screen: seo,
    title: 'Référencement',
    role: 'admin',
    permission: 'seo.read',
    parent: '/dashboard',
    nav: { section: 'administration', icon: 'seo' },
  },
  {
    path: '/admin/seo-management',
    screen: seo,
    title: 'Référencement',
    role: 'admin',
    permission: 'seo.read',
    parent: '/dashboard',
  },
  {
    path: '/admin/users',
    screen: () => import('./users-desk.tsx'),
    title: 'Utilisateurs',
    role: 'admin',
    permission: 'users.read',
    parent: '/dashboard',
    nav: { section: 'administration', icon: 'userCog', label: 'Comptes et accès' },
  },
  {
    path: '/cms-admin',
    screen: () => import('../features/content/desk.tsx'),
    title: 'Contenus du site',
    role: 'admin',
    permission: 'content.read',
    parent: '/dashboard',
    nav: { section: 'administration', icon: 'content' },
  },
  {
    path: '/cms-admin/mentions-legales',
    screen: () => import('../features/legal/notice.tsx'),
    title: 'Mentions légales',
    role: 'admin',
    permission: 'content.read',
    parent: '/cms-admin',
  },
  {
    path: '/logout-state-admin',
    screen: () => import('../features/auth/logout-state.tsx'),
    title: 'État de déconnexion',
    role: 'admin',
    hidden: true,
    parent: '/dashboard',
  },
  {
    path: '/logout-animation-demo',
    screen: () => import('../features/auth/logout-demo.tsx'),
    title: 'Animation de déconnexion',
    role: 'admin',
    hidden: true,
    parent: '/dashboard',
  },
  {
    path: '/admin/sso',
    screen: () => import('../features/sso/desk.tsx'),
    title: 'Connexion unique',
    role: 'admin',
    permission: 'sso.read',
    parent: '/admin/users',
    nav: { section: 'administration', icon: 'signOn' },
  },
] as const satisfies readonly Screen[]
