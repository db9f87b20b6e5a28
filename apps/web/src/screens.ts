import type { ComponentType } from 'react'
import { administration } from './administration.ts'
import { distributor } from './distributor.ts'
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
  /** Only for those who keep the public site. */
  site?: true
  /** Only outside production. */
  dev?: true
}

const dashboard = () => import('./features/energy/dashboard/dashboard.tsx')
const users = () => import('./features/users/list.tsx')
const operations = () => import('./features/operations/list.tsx')
const operation = () => import('./features/operations/detail.tsx')
const distribution = () => import('./features/allocations/one.tsx')
const settings = () => import('./features/companies/settings.tsx')
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
    path: '/projects',
    screen: () => import('./features/projects/list.tsx'),
    title: 'Projets',
    role: 'admin',
    parent: '/dashboard',
    nav: { section: 'operations', icon: 'projects' },
  },
  {
    path: '/projects/new',
    screen: () => import('./features/projects/new.tsx'),
    title: 'Nouveau projet',
    role: 'admin',
    parent: '/projects',
  },
  {
    path: '/projects/:id',
    screen: () => import('./features/projects/detail.tsx'),
    title: 'Projet',
    role: 'admin',
    parent: '/projects',
  },
  {
    path: '/projects/:id/edit',
    screen: () => import('./features/projects/edit.tsx'),
    title: 'Modifier le projet',
    role: 'admin',
    parent: '/projects/:id',
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
    path: '/acc-operations',
    screen: operations,
    title: 'Opérations',
    role: 'admin',
    parent: '/dashboard',
    nav: { section: 'operations', icon: 'operations' },
  },
  {
    path: '/acc-operations/new',
    screen: () => import('./features/operations/new.tsx'),
    title: 'Nouvelle opération',
    role: 'admin',
    parent: '/acc-operations',
  },
  { path: '/acc-operations/:id', screen: operation, title: 'Opération', role: 'admin', parent: '/acc-operations' },
  {
    path: '/acc-operations/:operationId/energy-distribution',
    screen: distribution,
    title: 'Répartition',
    role: 'admin',
    parent: '/acc-operations',
  },
  {
    path: '/operations/:id/energy-distribution',
    screen: distribution,
    title: 'Répartition',
    role: 'admin',
    parent: '/acc-operations',
  },
  {
    path: '/energy-distribution',
    screen: () => import('./features/allocations/all.tsx'),
    title: 'Répartition de l’énergie',
    role: 'admin',
    parent: '/acc-operations',
  },
  {
    path: '/member-distribution',
    screen: () => import('./features/allocations/members.tsx'),
    title: 'Répartition par membre',
    role: 'admin',
    parent: '/energy-distribution',
  },
  {
    path: '/companies/:companyId/operations',
    screen: operations,
    title: 'Opérations',
    role: 'admin',
    parent: '/dashboard',
  },
  {
    path: '/companies/:companyId/operations/:operationId',
    screen: operation,
    title: 'Opération',
    role: 'admin',
    parent: '/companies/:companyId/operations',
  },
  {
    path: '/companies/:companyId/operations/:operationId/load-curves',
    screen: () => import('./features/curves/load-curves.tsx'),
    title: 'Courbes de charge',
    role: 'admin',
    parent: '/companies/:companyId/operations/:operationId',
  },
  {
    path: '/companies/:companyId/operations/:operationId/load-curves/:pdlId',
    screen: () => import('./features/curves/point.tsx'),
    title: 'Courbe d’un point',
    role: 'admin',
    parent: '/companies/:companyId/operations/:operationId/load-curves',
  },
  {
    path: '/production',
    screen: () => import('./features/energy/production/production.tsx'),
    title: 'Production',
    role: 'admin',
    parent: '/dashboard',
    nav: { section: 'operations', icon: 'production' },
  },

  {
    path: '/acc-operations/:id/participants',
    screen: () => import('./features/participants/of-operation.tsx'),
    title: 'Participants',
    role: 'admin',
    parent: '/acc-operations/:id',
  },
  {
    path: '/participants',
    screen: () => import('./features/participants/list.tsx'),
    title: 'Participants',
    role: 'admin',
    parent: '/dashboard',
  },
  {
    path: '/clients',
    screen: () => import('./features/participants/clients.tsx'),
    title: 'Clients',
    role: 'admin',
    parent: '/dashboard',
    nav: { section: 'operations', icon: 'clients' },
  },

  ...distributor,

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

  ...administration,

  {
    path: '/client-portal',
    screen: () => import('./features/energy/portal/home.tsx'),
    title: 'Mon espace',
    role: 'client',
    nav: { section: 'portal', icon: 'home', label: 'Accueil' },
  },
  {
    path: '/client-portal/consumption',
    screen: () => import('./features/energy/portal/consumption.tsx'),
    title: 'Ma consommation',
    role: 'client',
    parent: '/client-portal',
    nav: { section: 'portal', icon: 'consumption', label: 'Consommation' },
  },
  {
    path: '/client-portal/production',
    screen: () => import('./features/energy/portal/production.tsx'),
    title: 'Ma production',
    role: 'client',
    parent: '/client-portal',
    nav: { section: 'portal', icon: 'production', label: 'Production' },
  },
  {
    path: '/client-portal/impact',
    screen: () => import('./features/energy/portal/impact.tsx'),
    title: 'Mon impact',
    role: 'client',
    parent: '/client-portal',
    nav: { section: 'portal', icon: 'impact', label: 'Impact' },
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
    screen: () => import('./ui/dev/ui.tsx'),
    title: 'Système de conception',
    role: 'public',
    dev: true,
  },
] as const satisfies readonly Screen[]

export const allScreens: readonly Screen[] = screens

/** The table as this installation shows it. */
export const screensFor = (development: boolean): readonly Screen[] =>
  allScreens.filter((row) => development || !row.dev)

/** The same without the desks of the site, for those who do not keep it. */
export const screensOf = (table: readonly Screen[], keepsSite: boolean) => table.filter((row) => keepsSite || !row.site)
