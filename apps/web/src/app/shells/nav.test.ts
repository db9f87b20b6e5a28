import { describe, expect, test } from 'vitest'
import { findMissingPermission } from '../../lib/admission.ts'
import { TEST_ACCESS_PROFILES } from '../../lib/test-access-profiles.ts'
import { filterAllowedScreens, screens } from '../screens/table.ts'
import type { Screen } from '../screens/types.ts'
import {
  buildCrumbs,
  buildNavItems,
  buildNavSections,
  buildPaletteEntries,
  computeMatchScore,
  createCanOpen,
  createKeepsPeriod,
  findClosestItem,
  findScreenTitle,
  isActiveItem,
  listActiveSections,
  nameCrumbs,
} from './nav.ts'

const screen = async () => ({ default: () => null })
const users = async () => ({ default: () => null })
const admin = { screen, role: 'admin' } as const
const operations = { section: 'operations', icon: 'home' } as const
const data = { section: 'data', icon: 'home' } as const

const table: Screen[] = [
  { ...admin, path: '/dashboard', title: 'Tableau de bord', nav: operations },
  { ...admin, path: '/dashboard/:companyId', title: 'Tableau de bord' },
  { ...admin, path: '/dashboard/users', screen: users, title: 'Utilisateurs', parent: '/dashboard' },
  { ...admin, path: '/billing', title: 'Facturation', nav: operations },
  { ...admin, path: '/invoice/:id', screen: users, title: 'Facture', parent: '/billing' },
  { ...admin, path: '/enedis-api', title: 'API Enedis', parent: '/dashboard', nav: data },
  { ...admin, path: '/enedis-api/sync-tasks/:id', title: 'Tâche', parent: '/enedis-api' },
  {
    ...admin,
    path: '/companies/:companyId/enedis-v4-explorer',
    title: 'Explorateur',
    nav: { ...data, label: 'Explorateur V4', badge: 'V4' },
  },
  { ...admin, path: '/companies/:companyId/operations/:id', title: 'Opération' },
  {
    ...admin,
    path: '/companies/:companyId/operations/:id/curves',
    title: 'Courbes',
    parent: '/companies/:companyId/operations/:id',
  },
  { ...admin, path: '/users', screen: users, title: 'Utilisateurs', nav: { section: 'management', icon: 'users' } },
  { path: '/client-portal', screen, title: 'Mon espace', role: 'client', nav: { section: 'portal', icon: 'home' } },
  { path: '/client-portal/profile', screen, title: 'Profil', role: 'client', nav: { section: 'portal', icon: 'user' } },
]

describe('sections', () => {
  test('come in their order, with the items of the table, and only where they hold something', () => {
    const sections = buildNavSections(table, 7)
    expect(sections.map(({ label, startsOpen }) => [label, startsOpen])).toEqual([
      ['Opérations', true],
      ['Données et documents', true],
      ['Gestion', false],
    ])
    expect(sections[0]?.items.map(({ path }) => path)).toEqual(['/dashboard', '/billing'])
  })

  test('an item names the user’s company and keeps its label and badge', () => {
    expect(buildNavSections(table, 7)[1]?.items[1]).toEqual({
      path: '/companies/7/enedis-v4-explorer',
      label: 'Explorateur V4',
      icon: 'home',
      badge: 'V4',
    })
    expect(buildNavSections(table)[1]?.items.map(({ path }) => path)).toEqual(['/enedis-api'])
  })

  test('the current ones are those with an active item', () => {
    expect(listActiveSections(buildNavSections(table, 1), '/users/42')).toEqual(['management'])
    expect(listActiveSections(buildNavSections(table, 1), '/dashboard/invoices')).toEqual(['operations'])
    expect(listActiveSections(buildNavSections(table, 1), '/enedis-error-logs')).toEqual(['data'])
    expect(listActiveSections(buildNavSections(table, 1), '/elsewhere')).toEqual([])
  })
})

describe('an item is active', () => {
  test.each([
    ['/projects', '/projects', true],
    ['/projects/12/edit', '/projects', true],
    ['/projects-archive', '/projects', false],
    ['/', '/projects', false],
    ['/enedis-data', '/enedis-api', true],
    ['/companies/1/enedis-v4-explorer', '/enedis-api', true],
    ['/dashboard/enedis-error-logs', '/enedis-api', true],
    ['/enedis-api', '/enedis-data', false],
    ['/invoice/9', '/billing', true],
    ['/dashboard/invoices/success', '/billing', true],
    ['/invoices', '/clients', false],
  ])('on %s, %s: %s', (pathname, item, expected) => {
    expect(isActiveItem(pathname, item)).toBe(expected)
  })

  test('in the portal one alone: the closest', () => {
    const items = buildNavItems(table, 'portal')
    expect(findClosestItem('/client-portal', items)?.path).toBe('/client-portal')
    expect(findClosestItem('/client-portal/profile', items)?.path).toBe('/client-portal/profile')
    expect(findClosestItem('/client-portal/invoices', items)?.path).toBe('/client-portal')
    expect(findClosestItem('/login', items)).toBeUndefined()
    const billed = [...items, { path: '/client-portal/invoices', label: 'Factures', icon: 'invoices' as const }]
    for (const path of ['/client-portal/checkout/7', '/client-portal/payment-success'])
      expect(findClosestItem(path, billed)?.label).toBe('Factures')
  })
})

describe('breadcrumbs and title', () => {
  test('follow the parents up, with the parameters of the route', () => {
    expect(buildCrumbs(table, '/enedis-api/sync-tasks/3')).toEqual([
      { label: 'Tableau de bord', to: '/dashboard' },
      { label: 'API Enedis', to: '/enedis-api' },
      { label: 'Tâche' },
    ])
    expect(buildCrumbs(table, '/companies/2/operations/9/curves')).toEqual([
      { label: 'Opération', to: '/companies/2/operations/9' },
      { label: 'Courbes' },
    ])
  })

  test('carry the names of what they lead to, and of what is open', () => {
    const at = '/companies/2/operations/9/curves'
    const names = new Map([['/companies/2/operations/9', 'Les Lilas']])
    expect(nameCrumbs(buildCrumbs(table, at), { pathname: at, names })).toEqual([
      { label: 'Les Lilas', to: '/companies/2/operations/9' },
      { label: 'Courbes' },
    ])
    const own = '/companies/2/operations/9'
    expect(nameCrumbs(buildCrumbs(table, own), { pathname: own, names, open: 'Éloïse' })).toEqual([
      { label: 'Les Lilas', to: own },
      { label: 'Éloïse' },
    ])
    expect(nameCrumbs([], { pathname: '/x', names, open: 'Éloïse' })).toEqual([])
  })

  test('an operation is the parent under either name of its parameter', () => {
    expect(buildCrumbs(screens, '/acc-operations/7/energy-distribution').map(({ to }) => to)).toEqual([
      '/dashboard',
      '/acc-operations',
      '/acc-operations/7',
      undefined,
    ])
  })

  test('a fixed path wins over a parameter, and an unknown path has none', () => {
    expect(findScreenTitle(table, '/dashboard/users')).toBe('Utilisateurs')
    expect(findScreenTitle(table, '/dashboard/12')).toBe('Tableau de bord')
    expect(findScreenTitle(table, '/nowhere')).toBeUndefined()
    expect(buildCrumbs(table, '/nowhere')).toEqual([])
  })

  test('a parent that is missing, or that leads back, ends the trail', () => {
    const odd: Screen[] = [
      { ...admin, path: '/a', title: 'A', parent: '/b' },
      { ...admin, path: '/b', title: 'B', parent: '/a' },
      { ...admin, path: '/c', title: 'C', parent: '/missing' },
    ]
    expect(buildCrumbs(odd, '/a')).toEqual([{ label: 'B', to: '/b' }, { label: 'A' }])
    expect(buildCrumbs(odd, '/c')).toEqual([{ label: 'C' }])
  })
})

describe.each(Object.entries(TEST_ACCESS_PROFILES).filter(([, { space }]) => space === 'office'))('as %s', (_, who) => {
  const open = filterAllowedScreens(screens, who)
  test('sidebar and palette hold every screen one may open, and no other', () => {
    const refused = screens
      .filter((row) => row.role === 'admin' && findMissingPermission(row, who))
      .map(({ path }) => path)
    const offered = [
      ...buildNavSections(open, 7).flatMap(({ items }) => items),
      ...buildPaletteEntries(open, 'admin', 7),
    ]
    const paths = offered.map(({ path }) => path.replace('/companies/7/', '/companies/:companyId/'))
    expect(paths.filter((path) => refused.some((one) => one === path))).toEqual([])
    const rows = screens.filter((row) => row.role === 'admin' && row.nav && !findMissingPermission(row, who))
    expect(rows.filter(({ path }) => !paths.includes(path))).toEqual([])
  })

  test('a link is closed exactly where its screen is', () => {
    const opens = createCanOpen(screens, open)
    for (const row of screens.filter(({ role }) => role === 'admin'))
      expect(opens(`${row.path.replaceAll(/:\w+/g, '7')}?onglet=a#b`), row.path).toBe(!findMissingPermission(row, who))
    expect(opens('/contact')).toBe(true)
    expect(opens('?page=2')).toBe(true)
  })
})

test('a technician’s trail has no link to what only others open', () => {
  const { technician } = TEST_ACCESS_PROFILES
  if (!technician) throw new Error('no such holder')
  const open = filterAllowedScreens(screens, technician)
  expect(buildCrumbs(screens, '/projects/3', (row) => open.includes(row))).toEqual([
    { label: 'Tableau de bord', to: '/dashboard' },
    { label: 'Projets' },
    { label: 'Projet' },
  ])
})

test('days go along between the screens that look at them', () => {
  const keeps = createKeepsPeriod(screens)
  expect(['/dashboard', '/acc-operations/7?onglet=journal', '/participants'].map(keeps)).toEqual([true, true, true])
  expect(['/users', '/contact', '/projects/7', '/enedis-error-logs'].map(keeps)).toEqual([false, false, false, false])
})

describe('the command palette', () => {
  test('no page for tests or for those who build the product is in it', () => {
    const paths = buildPaletteEntries(screens, 'admin', 7).map(({ path }) => path)
    expect(paths.filter((path) => /logout|^\/dev/.test(path))).toEqual([])
    expect(paths).toContain('/participants')
  })

  test('lists the screens of the role once, without those that need an id', () => {
    expect(buildPaletteEntries(table, 'admin', 1).map(({ path }) => path)).toEqual([
      '/dashboard',
      '/billing',
      '/enedis-api',
      '/companies/1/enedis-v4-explorer',
      '/users',
    ])
    expect(buildPaletteEntries(table, 'client').map(({ label }) => label)).toEqual(['Mon espace', 'Profil'])
  })

  test('searches without accents or case, best first', () => {
    expect(computeMatchScore('Données et documents', 'donnees')).toBe(1)
    expect(computeMatchScore('État de déconnexion', 'DECO')).toBe(0.8)
    expect(computeMatchScore('Journal d’erreurs', 'erreur')).toBe(0.8)
    expect(computeMatchScore('Tableau de bord', 'bord tab')).toBe(0.5)
    expect(computeMatchScore('Tableau de bord', 'facture')).toBe(0)
    expect(computeMatchScore('Paramètres', '')).toBe(1)
  })
})
