import { Link, useLocation } from 'react-router'
import { cx } from '../ui/cx.ts'
import { closest, type NavItem } from './nav.ts'
import { navIcons } from './nav-icons.ts'

const useHere = (items: NavItem[]) => closest(useLocation().pathname, items)?.path

/** In the header of a wide screen. */
export function PortalLinks({ items }: { items: NavItem[] }) {
  const here = useHere(items)
  return (
    <nav aria-label="Navigation principale" className="hidden flex-1 gap-1 md:flex">
      {items.map((item) => {
        const Icon = navIcons[item.icon]
        return (
          <Link
            key={item.path}
            to={item.path}
            aria-current={item.path === here ? 'page' : undefined}
            className={cx(
              'inline-flex min-h-11 items-center gap-2 rounded-full px-4 text-body font-medium transition-colors duration-150',
              item.path === here ? 'bg-amber-100 text-amber-900' : 'text-ink-soft hover:bg-amber-50 hover:text-ink',
            )}
          >
            <Icon aria-hidden="true" className="size-[1.125rem]" />
            {item.label}
          </Link>
        )
      })}
    </nav>
  )
}

/** Under the thumb on a phone. */
export function PortalBar({ items }: { items: NavItem[] }) {
  const here = useHere(items)
  return (
    <nav
      aria-label="Navigation principale"
      data-print="hide"
      className="fixed inset-x-0 bottom-0 z-20 grid auto-cols-fr grid-flow-col border-t border-line bg-card pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {items.map((item) => {
        const Icon = navIcons[item.icon]
        return (
          <Link
            key={item.path}
            to={item.path}
            aria-current={item.path === here ? 'page' : undefined}
            className={cx(
              'grid min-h-16 min-w-0 content-center justify-items-center gap-1 px-1 text-xs font-medium focus-visible:-outline-offset-2',
              item.path === here ? 'text-amber-900' : 'text-ink-soft',
            )}
          >
            <span className={cx('rounded-full px-5 py-1', item.path === here && 'bg-amber-200')}>
              <Icon aria-hidden="true" className="size-5" />
            </span>
            <span className="max-w-full truncate">{item.label}</span>
          </Link>
        )
      })}
    </nav>
  )
}
