import type { CurrentUser } from '@voisol/contract/auth'
import Ellipsis from 'lucide-react/icons/ellipsis'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { useMyPoints } from '../features/energy/portal/my-points.ts'
import { useSession } from '../lib/session.ts'
import { cx } from '../ui/cx.ts'
import { findClosestItem, type NavItem } from './nav.ts'
import { navIcons } from './nav-icons.ts'
import { PortalMore } from './portal-more.tsx'

const [CONSUMPTION, PRODUCTION] = ['/client-portal/consumption', '/client-portal/production']
const BATTERY_LABELS: Record<string, string> = { [CONSUMPTION]: 'Charge', [PRODUCTION]: 'Décharge' }
/** What a thumb can tell apart on one row. */
const MAX_BAR_ITEMS = 5

/** What stays a person's own when somebody of the back office looks at their portal. */
export const isPersonalScreen = (user: CurrentUser | null, path: string) =>
  Boolean(user?.viewing) && /\/(profile|notifications|checkout|payment|departure)/.test(path)

/** Somebody without panels has no use for the producers' screen, nor a plant for the consumers'. */
export function usePortalItems(items: NavItem[]): NavItem[] {
  const { mine } = useMyPoints()
  const hidden = mine?.produces ? (mine.consumes ? undefined : CONSUMPTION) : PRODUCTION
  const { user } = useSession()
  const shown = items.filter(({ path }) => path !== hidden && !isPersonalScreen(user, path))
  return mine?.battery ? shown.map((item) => ({ ...item, label: BATTERY_LABELS[item.path] ?? item.label })) : shown
}

/** The first ones, and the rest under « Plus » where all do not fit. */
const splitItems = (items: NavItem[]) =>
  items.length <= MAX_BAR_ITEMS
    ? { first: items, rest: [] }
    : { first: items.slice(0, MAX_BAR_ITEMS - 1), rest: items.slice(MAX_BAR_ITEMS - 1) }

function usePortalNavigation(items: NavItem[]) {
  const shown = usePortalItems(items)
  return { ...splitItems(shown), here: findClosestItem(useLocation().pathname, shown)?.path }
}

const getLinkClass = (active: boolean) =>
  cx(
    'inline-flex min-h-11 items-center gap-2 rounded-full px-3 text-[0.9375rem] font-medium transition-colors duration-150 xl:px-4',
    active ? 'bg-amber-100 text-amber-900' : 'text-ink-soft hover:bg-amber-50 hover:text-ink',
  )

/** In the header of a wide screen. */
export function PortalLinks({ items }: { items: NavItem[] }) {
  const { first, rest, here } = usePortalNavigation(items)
  const inRest = rest.some(({ path }) => path === here)
  return (
    <nav aria-label="Navigation principale" className="hidden flex-1 gap-0.5 lg:flex">
      {first.map(({ path, icon, label }) => {
        const Icon = navIcons[icon]
        return (
          <Link
            key={path}
            to={path}
            aria-current={path === here ? 'page' : undefined}
            className={getLinkClass(path === here)}
          >
            <Icon aria-hidden="true" className="size-[1.125rem]" />
            {label}
          </Link>
        )
      })}
      {rest.length > 0 && (
        <PortalMore items={rest} here={here} className={getLinkClass(inRest)}>
          <Ellipsis aria-hidden="true" className="size-[1.125rem]" />
          Plus
        </PortalMore>
      )}
    </nav>
  )
}

const getBarClass = (active: boolean) =>
  cx(
    'grid min-h-16 min-w-0 content-center justify-items-center gap-1 text-[0.65625rem] font-medium sm:text-xs focus-visible:-outline-offset-2',
    active ? 'text-amber-900' : 'text-ink-soft',
  )

const BarContent = ({ active, icon, label }: { active: boolean; icon: ReactNode; label: string }) => (
  <>
    <span className={cx('rounded-full px-4 py-1 [&_.lucide]:size-5', active && 'bg-amber-200')}>{icon}</span>
    <span className="whitespace-nowrap">{label}</span>
  </>
)

/** Under the thumb on a phone. */
export function PortalBar({ items }: { items: NavItem[] }) {
  const { first, rest, here } = usePortalNavigation(items)
  const inRest = rest.some(({ path }) => path === here)
  return (
    <nav
      aria-label="Navigation principale"
      data-print="hide"
      className="fixed inset-x-0 bottom-0 z-20 grid auto-cols-fr grid-flow-col border-t border-line bg-card pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      {first.map(({ path, icon, label }) => {
        const Icon = navIcons[icon]
        const active = path === here
        return (
          <Link key={path} to={path} aria-current={active ? 'page' : undefined} className={getBarClass(active)}>
            <BarContent active={active} icon={<Icon aria-hidden="true" />} label={label} />
          </Link>
        )
      })}
      {rest.length > 0 && (
        <PortalMore items={rest} here={here} className={getBarClass(inRest)}>
          <BarContent active={inRest} icon={<Ellipsis aria-hidden="true" />} label="Plus" />
        </PortalMore>
      )}
    </nav>
  )
}
