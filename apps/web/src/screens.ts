import type { ComponentType } from 'react'
import type { NavIcon } from './shells/nav-icons.ts'

export type Section = 'operations' | 'data' | 'management' | 'administration' | 'portal'
export type Role = 'public' | 'admin' | 'client'

/** A screen of the product. `nav` puts it in a sidebar, `parent` above it in the breadcrumbs. */
export type Screen = {
  path: `/${string}`
  screen: () => Promise<{ default: ComponentType }>
  title: string
  role: Role
  nav?: { section: Section; icon: NavIcon; label?: string; badge?: string }
  parent?: `/${string}`
  /** Only outside production. */
  dev?: true
}

const dashboard = () => import('./features/dashboard/dashboard.tsx')
const users = () => import('./features/users/list.tsx')
const settings = () => import('./features/settings/settings.tsx')
const notifications = () => import('./features/notifications/list.tsx')

export const screens = [
  { path: '/login', screen: () => import('./features/auth/login.tsx'), title: 'Connexion', role: 'public' },

  {
    path: '/dashboard',
    screen: dashboard,
    title: 'Tableau de bord',
    role: 'admin',
    nav: { section: 'operations', icon: 'dashboard' },
  },
  {
    path: '/dashboard/notifications',
    screen: notifications,
    title: 'Notifications',
    role: 'admin',
    parent: '/dashboard',
  },
  { path: '/dashboard/settings', screen: settings, title: 'Paramètres', role: 'admin', parent: '/dashboard' },
  { path: '/dashboard/user-management', screen: users, title: 'Utilisateurs', role: 'admin', parent: '/dashboard' },
  { path: '/dashboard/:companyId', screen: dashboard, title: 'Tableau de bord', role: 'admin' },
  {
    path: '/dashboard/:companyId/user-management',
    screen: users,
    title: 'Utilisateurs',
    role: 'admin',
    parent: '/dashboard',
  },

  {
    path: '/users',
    screen: users,
    title: 'Utilisateurs',
    role: 'admin',
    parent: '/dashboard',
    nav: { section: 'management', icon: 'users' },
  },
  {
    path: '/settings',
    screen: settings,
    title: 'Paramètres',
    role: 'admin',
    parent: '/dashboard',
    nav: { section: 'management', icon: 'settings' },
  },
  {
    path: '/settings/profile',
    screen: () => import('./features/profile/admin.tsx'),
    title: 'Mon profil',
    role: 'admin',
    parent: '/settings',
  },
  { path: '/notifications', screen: notifications, title: 'Notifications', role: 'admin', parent: '/dashboard' },

  {
    path: '/admin/users',
    screen: users,
    title: 'Utilisateurs',
    role: 'admin',
    parent: '/dashboard',
    nav: { section: 'administration', icon: 'userCog', label: 'Comptes et accès' },
  },
  {
    path: '/logout-state-admin',
    screen: () => import('./features/auth/logout-state.tsx'),
    title: 'État de déconnexion',
    role: 'admin',
    parent: '/dashboard',
  },
  {
    path: '/logout-animation-demo',
    screen: () => import('./features/auth/logout-demo.tsx'),
    title: 'Animation de déconnexion',
    role: 'admin',
    parent: '/dashboard',
  },

  {
    path: '/client-portal',
    screen: () => import('./features/portal/home.tsx'),
    title: 'Mon espace',
    role: 'client',
    nav: { section: 'portal', icon: 'home', label: 'Accueil' },
  },
  {
    path: '/client-portal/notifications',
    screen: () => import('./features/notifications/portal.tsx'),
    title: 'Mes notifications',
    role: 'client',
    parent: '/client-portal',
    nav: { section: 'portal', icon: 'bell', label: 'Notifications' },
  },
  {
    path: '/client-portal/profile',
    screen: () => import('./features/profile/portal.tsx'),
    title: 'Mon profil',
    role: 'client',
    parent: '/client-portal',
    nav: { section: 'portal', icon: 'user', label: 'Profil' },
  },

  {
    path: '/dev/ui',
    screen: () => import('./features/dev/ui.tsx'),
    title: 'Système de conception',
    role: 'public',
    dev: true,
  },
] as const satisfies readonly Screen[]

export const allScreens: readonly Screen[] = screens

/** The table as this installation shows it. */
export const screensFor = (development: boolean): readonly Screen[] =>
  allScreens.filter((row) => development || !row.dev)
