import type { Screen } from './types.ts'

const dashboard = () => import('../features/energy/dashboard/dashboard.tsx')
const list = () => import('../features/operations/list.tsx')
const operation = () => import('../features/operations/detail.tsx')
const distribution = () => import('../features/allocations/one.tsx')

/** The part « Opérations » of the sidebar, in its order, and the screens under it. */
export const operations = [
  {
    path: '/dashboard',
    screen: dashboard,
    title: 'Tableau de bord',
    role: 'admin',
    nav: { section: 'operations', icon: 'dashboard' },
  },
  {
    path: '/projects',
    screen: () => import('../features/projects/list.tsx'),
    title: 'Projets',
    role: 'admin',
    parent: '/dashboard',
    nav: { section: 'operations', icon: 'projects' },
  },
  {
    path: '/projects/new',
    screen: () => import('../features/projects/new.tsx'),
    title: 'Nouveau projet',
    role: 'admin',
    parent: '/projects',
  },
  {
    path: '/projects/:id',
    screen: () => import('../features/projects/detail.tsx'),
    title: 'Projet',
    role: 'admin',
    parent: '/projects',
  },
  {
    path: '/projects/:id/edit',
    screen: () => import('../features/projects/edit.tsx'),
    title: 'Modifier le projet',
    role: 'admin',
    parent: '/projects/:id',
  },
  { path: '/dashboard/:companyId', screen: dashboard, title: 'Tableau de bord', role: 'admin' },
  {
    path: '/acc-operations',
    screen: list,
    title: 'Opérations',
    role: 'admin',
    parent: '/dashboard',
    nav: { section: 'operations', icon: 'operations' },
  },
  {
    path: '/acc-operations/new',
    screen: () => import('../features/operations/new.tsx'),
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
    screen: () => import('../features/allocations/all.tsx'),
    title: 'Répartition de l’énergie',
    role: 'admin',
    parent: '/acc-operations',
  },
  {
    path: '/member-distribution',
    screen: () => import('../features/allocations/members.tsx'),
    title: 'Répartition par membre',
    role: 'admin',
    parent: '/energy-distribution',
  },
  {
    path: '/companies/:companyId/operations',
    screen: list,
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
    screen: () => import('../features/curves/load-curves.tsx'),
    title: 'Courbes de charge',
    role: 'admin',
    parent: '/companies/:companyId/operations/:operationId',
  },
  {
    path: '/companies/:companyId/operations/:operationId/load-curves/:pdlId',
    screen: () => import('../features/curves/point.tsx'),
    title: 'Courbe d’un point',
    role: 'admin',
    parent: '/companies/:companyId/operations/:operationId/load-curves',
  },
  {
    path: '/production',
    screen: () => import('../features/energy/production/production.tsx'),
    title: 'Production',
    role: 'admin',
    parent: '/dashboard',
    nav: { section: 'operations', icon: 'production' },
  },
  {
    path: '/acc-operations/:id/participants',
    screen: () => import('../features/participants/of-operation.tsx'),
    title: 'Participants',
    role: 'admin',
    parent: '/acc-operations/:id',
  },
  {
    path: '/participants',
    screen: () => import('../features/participants/list.tsx'),
    title: 'Participants',
    role: 'admin',
    parent: '/dashboard',
  },
  {
    path: '/clients',
    screen: () => import('../features/participants/clients.tsx'),
    title: 'Clients',
    role: 'admin',
    parent: '/dashboard',
    nav: { section: 'operations', icon: 'clients' },
  },
] as const satisfies readonly Screen[]
