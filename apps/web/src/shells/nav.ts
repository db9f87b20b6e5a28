import { generatePath, matchRoutes, type Params } from 'react-router'
import type { Role, Screen, Section } from '../screens/types.ts'

export const DISTRIBUTOR = 'enedis'

type Table = readonly Screen[]
export type NavItem = { path: string; label: string; icon: NonNullable<Screen['nav']>['icon']; badge?: string }
export type NavSection = { id: Section; label: string; startsOpen: boolean; items: NavItem[] }

const SECTIONS: Omit<NavSection, 'items'>[] = [
  { id: 'operations', label: 'Opérations', startsOpen: true },
  { id: 'data', label: 'Données et documents', startsOpen: true },
  { id: 'money', label: 'Facturation', startsOpen: true },
  { id: 'management', label: 'Gestion', startsOpen: false },
  { id: 'administration', label: 'Administration', startsOpen: false },
]

/** Null where the address needs something that is not known here. */
function fill(path: string, params: Params): string | null {
  try {
    return generatePath(path, params)
  } catch {
    return null
  }
}

/** An operation is `id` where it is the screen's own object, and `operationId` under another. */
const eitherName = (params: Params): Params => ({
  id: params.operationId,
  operationId: params.id,
  ...Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)),
})

const paramsOf = (companyId: number | undefined): Params =>
  companyId === undefined ? {} : { companyId: String(companyId) }

/** The items of a section, in the order of the table; an address that names a company names the user's own. */
export const itemsOf = (table: Table, section: Section, companyId?: number): NavItem[] =>
  table.flatMap(({ path: pattern, title, nav }) => {
    const path = nav?.section === section ? fill(pattern, paramsOf(companyId)) : null
    if (!nav || path === null) return []
    return [{ path, label: nav.label ?? title, icon: nav.icon, ...(nav.badge && { badge: nav.badge }) }]
  })

/** The sidebar: a section that holds nothing is not shown. */
export const sectionsOf = (table: Table, companyId?: number): NavSection[] =>
  SECTIONS.map((section) => ({ ...section, items: itemsOf(table, section.id, companyId) })).filter(
    ({ items }) => items.length > 0,
  )

const isUnder = (pathname: string, path: string) => pathname === path || pathname.startsWith(`${path}/`)

/** Equal or under; the distributor's item also for any path with its name, billing for any path with invoice. */
export const isActive = (pathname: string, item: string) =>
  isUnder(pathname, item) ||
  (item === `/${DISTRIBUTOR}-api` && pathname.includes(DISTRIBUTOR)) ||
  (item === '/billing' && pathname.includes('invoice'))

/** Paying is a part of one's invoices, whatever the address says. */
const PAYING = /^\/client-portal\/(?:checkout\/|payment-success)/
const placeOf = (pathname: string) => (PAYING.test(pathname) ? '/client-portal/invoices' : pathname)

/** One at a time, for a bar of a few destinations: the longest path that holds the route. */
export const closest = (pathname: string, items: NavItem[]) =>
  items.filter(({ path }) => isUnder(placeOf(pathname), path)).sort((a, b) => b.path.length - a.path.length)[0]

export const activeSections = (sections: NavSection[], pathname: string) =>
  sections.filter(({ items }) => items.some(({ path }) => isActive(pathname, path))).map(({ id }) => id)

function find(table: Table, pathname: string) {
  const match = matchRoutes(
    table.map((row) => ({ path: row.path, handle: row })),
    pathname,
  )?.at(-1)
  return match && { row: match.route.handle, params: match.params }
}

/** Whether an address leads to a row of those one may open; an address that is no screen's is nobody's to close. */
export function opensOf(table: Table, open: Table) {
  return (to: string) => {
    const row = find(table, to.split(/[?#]/)[0] ?? to)?.row
    return row === undefined || open.includes(row)
  }
}

/** Whether there is a screen at an address, of those one may open. */
export const showsOf = (open: Table) => (to: string) => find(open, to) !== undefined

/** Whether the screen at an address looks at days, or leads to those that do. */
export const keepsPeriodOf = (table: Table) => (to: string) =>
  find(table, to.split(/[?#]/)[0] ?? to)?.row.period === true

export const titleOf = (table: Table, pathname: string) => find(table, pathname)?.row.title

export type Crumb = { label: string; to?: string }

/** From the outermost parent to the present page, which has no link; nor has a parent that its reader may not open. */
export function crumbsOf(table: Table, pathname: string, opens: (row: Screen) => boolean = () => true): Crumb[] {
  const found = find(table, pathname)
  if (!found) return []
  const crumbs: Crumb[] = [{ label: found.row.title }]
  const seen = new Set<string>([found.row.path])
  let parent = found.row.parent
  while (parent && !seen.has(parent)) {
    seen.add(parent)
    const row = table.find(({ path }) => path === parent)
    const to = row && opens(row) ? fill(parent, eitherName(found.params)) : null
    if (row) crumbs.unshift({ label: row.title, ...(to !== null && { to }) })
    parent = row?.parent
  }
  return crumbs
}

type Named = { pathname: string; names: ReadonlyMap<string, string>; open?: string | undefined }

/** With the names of what is shown in place of the kind of screen, and what is open inside of it at the end. */
export function named(crumbs: Crumb[], { pathname, names, open }: Named): Crumb[] {
  const last = crumbs.length - 1
  const known = crumbs.map((crumb, at) => ({
    ...crumb,
    label: names.get(crumb.to ?? (at === last ? pathname : '')) ?? crumb.label,
    ...(open && at === last && { to: pathname }),
  }))
  return open && known.length > 0 ? [...known, { label: open }] : known
}

export type PaletteEntry = { path: string; label: string; group: string }

/** Every screen of a role that an address leads to; a screen with several addresses appears once, or as often as in the sidebar. */
export function paletteOf(table: Table, role: Role, companyId?: number): PaletteEntry[] {
  const own = table.filter((row) => row.role === role && !row.hidden)
  const isAlias = (row: Screen) =>
    !row.nav && own.some((o) => o !== row && o.screen === row.screen && (o.nav || o.path.length < row.path.length))
  return own.flatMap((row) => {
    const path = isAlias(row) ? null : fill(row.path, paramsOf(companyId))
    const group = SECTIONS.find(({ id }) => id === row.nav?.section)?.label ?? 'Autres écrans'
    return path === null ? [] : [{ path, label: row.nav?.label ?? row.title, group }]
  })
}

/** « Données » is found by « donnees ». */
export const fold = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .replaceAll('œ', 'oe')
    .toLowerCase()
    .trim()

/** 1 where the label begins so, less where a word does, and least where it only holds every word searched for. */
export function matchScore(label: string, search: string): number {
  const text = fold(label)
  const wanted = fold(search)
  if (text.startsWith(wanted)) return 1
  if (text.split(/[\s’'/-]+/).some((word) => word.startsWith(wanted))) return 0.8
  return wanted.split(/\s+/).every((part) => text.includes(part)) ? 0.5 : 0
}
