import { generatePath, matchRoutes, type Params } from 'react-router'
import type { Screen, ScreenRole, ScreenSection } from '../screens/types.ts'

const DISTRIBUTOR_NAME = 'enedis'

type ScreenTable = readonly Screen[]
export type NavItem = { path: string; label: string; icon: NonNullable<Screen['nav']>['icon']; badge?: string }
export type NavSection = { id: ScreenSection; label: string; startsOpen: boolean; items: NavItem[] }

const NAV_SECTIONS: Omit<NavSection, 'items'>[] = [
  { id: 'operations', label: 'Opérations', startsOpen: true },
  { id: 'data', label: 'Données et documents', startsOpen: true },
  { id: 'money', label: 'Facturation', startsOpen: true },
  { id: 'management', label: 'Gestion', startsOpen: false },
  { id: 'administration', label: 'Administration', startsOpen: false },
]

/** Null where the address needs something that is not known here. */
function buildPath(path: string, params: Params): string | null {
  try {
    return generatePath(path, params)
  } catch {
    return null
  }
}

/** An operation is `id` where it is the screen's own object, and `operationId` under another. */
const withOperationIdAliases = (params: Params): Params => ({
  id: params.operationId,
  operationId: params.id,
  ...Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)),
})

const toCompanyParams = (companyId: number | undefined): Params =>
  companyId === undefined ? {} : { companyId: String(companyId) }

/** The items of a section, in the order of the table; an address that names a company names the user's own. */
export const buildNavItems = (table: ScreenTable, section: ScreenSection, companyId?: number): NavItem[] =>
  table.flatMap(({ path: pattern, title, nav }) => {
    const path = nav?.section === section ? buildPath(pattern, toCompanyParams(companyId)) : null
    if (!nav || path === null) return []
    return [{ path, label: nav.label ?? title, icon: nav.icon, ...(nav.badge && { badge: nav.badge }) }]
  })

/** The sidebar: a section that holds nothing is not shown. */
export const buildNavSections = (table: ScreenTable, companyId?: number): NavSection[] =>
  NAV_SECTIONS.map((section) => ({ ...section, items: buildNavItems(table, section.id, companyId) })).filter(
    ({ items }) => items.length > 0,
  )

const isSameOrUnder = (pathname: string, path: string) => pathname === path || pathname.startsWith(`${path}/`)

/** Equal or under; the distributor's item also for any path with its name, billing for any path with invoice. */
export const isActiveItem = (pathname: string, item: string) =>
  isSameOrUnder(pathname, item) ||
  (item === `/${DISTRIBUTOR_NAME}-api` && pathname.includes(DISTRIBUTOR_NAME)) ||
  (item === '/billing' && pathname.includes('invoice'))

/** Paying is a part of one's invoices, whatever the address says. */
const PAYMENT_PATH = /^\/client-portal\/(?:checkout\/|payment-success)/
const toNavPath = (pathname: string) => (PAYMENT_PATH.test(pathname) ? '/client-portal/invoices' : pathname)

/** One at a time, for a bar of a few destinations: the longest path that holds the route. */
export const findClosestItem = (pathname: string, items: NavItem[]) =>
  items.filter(({ path }) => isSameOrUnder(toNavPath(pathname), path)).sort((a, b) => b.path.length - a.path.length)[0]

export const listActiveSections = (sections: NavSection[], pathname: string) =>
  sections.filter(({ items }) => items.some(({ path }) => isActiveItem(pathname, path))).map(({ id }) => id)

function findScreenMatch(table: ScreenTable, pathname: string) {
  const match = matchRoutes(
    table.map((row) => ({ path: row.path, handle: row })),
    pathname,
  )?.at(-1)
  return match && { row: match.route.handle, params: match.params }
}

/** Whether an address leads to a row of those one may open; an address that is no screen's is nobody's to close. */
export function createCanOpen(table: ScreenTable, open: ScreenTable) {
  return (to: string) => {
    const row = findScreenMatch(table, to.split(/[?#]/)[0] ?? to)?.row
    return row === undefined || open.includes(row)
  }
}

/** Whether there is a screen at an address, of those one may open. */
export const createHasScreen = (open: ScreenTable) => (to: string) => findScreenMatch(open, to) !== undefined

/** Whether the screen at an address looks at days, or leads to those that do. */
export const createKeepsPeriod = (table: ScreenTable) => (to: string) =>
  findScreenMatch(table, to.split(/[?#]/)[0] ?? to)?.row.period === true

export const findScreenTitle = (table: ScreenTable, pathname: string) => findScreenMatch(table, pathname)?.row.title

export type Crumb = { label: string; to?: string }

/** From the outermost parent to the present page, which has no link; nor has a parent that its reader may not open. */
export function buildCrumbs(
  table: ScreenTable,
  pathname: string,
  opens: (row: Screen) => boolean = () => true,
): Crumb[] {
  const found = findScreenMatch(table, pathname)
  if (!found) return []
  const crumbs: Crumb[] = [{ label: found.row.title }]
  const seen = new Set<string>([found.row.path])
  let parent = found.row.parent
  while (parent && !seen.has(parent)) {
    seen.add(parent)
    const row = table.find(({ path }) => path === parent)
    const to = row && opens(row) ? buildPath(parent, withOperationIdAliases(found.params)) : null
    if (row) crumbs.unshift({ label: row.title, ...(to !== null && { to }) })
    parent = row?.parent
  }
  return crumbs
}

type CrumbNames = { pathname: string; names: ReadonlyMap<string, string>; open?: string | undefined }

/** With the names of what is shown in place of the kind of screen, and what is open inside of it at the end. */
export function nameCrumbs(crumbs: Crumb[], { pathname, names, open }: CrumbNames): Crumb[] {
  const last = crumbs.length - 1
  const known = crumbs.map((crumb, at) => ({
    ...crumb,
    label: names.get(crumb.to ?? (at === last ? pathname : '')) ?? crumb.label,
    ...(open && at === last && { to: pathname }),
  }))
  return open && known.length > 0 ? [...known, { label: open }] : known
}

type PaletteEntry = { path: string; label: string; group: string }

/** Every screen of a role that an address leads to; a screen with several addresses appears once, or as often as in the sidebar. */
export function buildPaletteEntries(table: ScreenTable, role: ScreenRole, companyId?: number): PaletteEntry[] {
  const own = table.filter((row) => row.role === role && !row.hidden)
  const isAlias = (row: Screen) =>
    !row.nav && own.some((o) => o !== row && o.screen === row.screen && (o.nav || o.path.length < row.path.length))
  return own.flatMap((row) => {
    const path = isAlias(row) ? null : buildPath(row.path, toCompanyParams(companyId))
    const group = NAV_SECTIONS.find(({ id }) => id === row.nav?.section)?.label ?? 'Autres écrans'
    return path === null ? [] : [{ path, label: row.nav?.label ?? row.title, group }]
  })
}

/** « Données » is found by « donnees ». */
const normalizeSearchText = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .replaceAll('œ', 'oe')
    .toLowerCase()
    .trim()

/** 1 where the label begins so, less where a word does, and least where it only holds every word searched for. */
export function computeMatchScore(label: string, search: string): number {
  const text = normalizeSearchText(label)
  const normalizedSearch = normalizeSearchText(search)
  if (text.startsWith(normalizedSearch)) return 1
  if (text.split(/[\s’'/-]+/).some((word) => word.startsWith(normalizedSearch))) return 0.8
  return normalizedSearch.split(/\s+/).every((part) => text.includes(part)) ? 0.5 : 0
}
