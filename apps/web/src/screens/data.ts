import type { Screen } from './types.ts'

const api = () => import('../features/enedis/overview.tsx')
const test = () => import('../features/enedis/test.tsx')
const errors = () => import('../features/sync/errors.tsx')

/** The part « Données et documents » of the sidebar, in its order: the distributor's screens. */
export const data = [
  {
    path: '/enedis-api',
    screen: api,
    title: 'API Enedis',
    role: 'admin',
    parent: '/dashboard',
    nav: { section: 'data', icon: 'distributor' },
  },
  { path: '/dashboard/enedis-api', screen: api, title: 'API Enedis', role: 'admin', parent: '/dashboard' },
  {
    path: '/enedis-api/docs',
    screen: () => import('../features/enedis/docs.tsx'),
    title: 'Documentation Enedis',
    role: 'admin',
    parent: '/enedis-api',
  },
  {
    path: '/enedis-test',
    screen: test,
    title: 'Test des appels',
    role: 'admin',
    parent: '/enedis-api',
  },
  { path: '/dashboard/api-test', screen: test, title: 'Test des appels', role: 'admin', parent: '/enedis-api' },
  {
    path: '/companies/:companyId/enedis-v4-explorer',
    screen: () => import('../features/enedis/explorer.tsx'),
    title: 'Explorateur V4',
    role: 'admin',
    parent: '/enedis-api',
    nav: { section: 'data', icon: 'explorer', badge: 'V4' },
  },
  {
    path: '/enedis-data',
    screen: () => import('../features/curves/enedis-data.tsx'),
    title: 'Données Enedis',
    role: 'admin',
    parent: '/enedis-api',
    nav: { section: 'data', icon: 'database', badge: 'Données' },
  },
  {
    path: '/enedis-api/sync-tasks',
    screen: () => import('../features/sync/tasks.tsx'),
    title: 'Tâches de synchronisation',
    role: 'admin',
    parent: '/enedis-api',
    nav: { section: 'data', icon: 'sync', label: 'Synchronisations' },
  },
  {
    path: '/enedis-api/sync-tasks/:id',
    screen: () => import('../features/sync/task.tsx'),
    title: 'Synchronisation',
    role: 'admin',
    parent: '/enedis-api/sync-tasks',
  },
  {
    path: '/enedis-error-logs',
    screen: errors,
    title: 'Journal d’erreurs',
    role: 'admin',
    parent: '/enedis-api',
    nav: { section: 'data', icon: 'errors' },
  },
  {
    path: '/dashboard/enedis-error-logs',
    screen: errors,
    title: 'Journal d’erreurs',
    role: 'admin',
    parent: '/enedis-api',
  },
] as const satisfies readonly Screen[]
