import type { ReactElement } from 'react'
import { Link } from 'react-router'
import { cx } from '../ui/cx.ts'
import { Tooltip } from '../ui/tooltip.tsx'
import type { NavItem } from './nav.ts'
import { navIcons } from './nav-icons.ts'

/** Beside the icon, not above it, where it would hide the one before. */
export const SideTooltip = ({ label, children }: { label: string; children: ReactElement<object> }) => (
  <Tooltip label={label} side="right">
    {children}
  </Tooltip>
)

type Props = { item: NavItem; active: boolean; here: boolean; collapsed: boolean; onFollow?: () => void }

export function SidebarItem({ item, active, here, collapsed, onFollow }: Props) {
  const Icon = navIcons[item.icon]
  const link = (
    <Link
      to={item.path}
      onClick={onFollow}
      aria-current={here ? 'page' : active ? 'true' : undefined}
      className={cx(
        'flex min-h-9 items-center gap-2.5 rounded-control text-body transition-colors duration-150',
        collapsed ? 'w-10 justify-center' : 'px-2.5',
        active ? 'bg-primary-soft font-medium text-primary-ink' : 'text-ink-soft hover:bg-ink/5 hover:text-ink',
      )}
    >
      <Icon aria-hidden="true" className="size-[1.125rem]" />
      <span className={cx(collapsed ? 'sr-only' : 'min-w-0 flex-1 truncate')}>{item.label}</span>
      {item.badge && !collapsed && (
        <span className="rounded-full bg-slate-100 px-1.5 py-0.5 text-xs font-medium text-slate-700">{item.badge}</span>
      )}
    </Link>
  )
  return <li>{collapsed ? <SideTooltip label={item.label}>{link}</SideTooltip> : link}</li>
}
