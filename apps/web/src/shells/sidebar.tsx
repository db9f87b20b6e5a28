import type { CurrentUser } from '@voisol/contract/auth'
import { Link } from 'react-router'
import { Avatar } from '../ui/avatar.tsx'
import { cx } from '../ui/cx.ts'
import { BrandMark } from './brand-mark.tsx'
import type { NavSection } from './nav.ts'
import { SideTooltip } from './sidebar-item.tsx'
import { SidebarNav } from './sidebar-nav.tsx'
import { VersionFooter } from './version.tsx'

const HomeLink = ({ collapsed, onFollow }: { collapsed: boolean; onFollow?: () => void }) => (
  <Link
    to="/dashboard"
    onClick={onFollow}
    className={cx(
      'flex h-14 shrink-0 items-center gap-2.5 border-b border-line',
      collapsed ? 'justify-center' : 'px-5',
    )}
  >
    <BrandMark small={collapsed} />
    <span className="sr-only">, tableau de bord</span>
  </Link>
)

const SidebarUser = ({ user }: { user: CurrentUser }) => (
  <div className="flex items-center gap-3">
    <Avatar firstName={user.firstName} lastName={user.lastName} size={36} />
    <div className="min-w-0 leading-snug">
      <p className="truncate text-body font-medium">
        {user.firstName} {user.lastName}
      </p>
      <p title={user.email} className="truncate text-[0.8125rem] text-ink-soft">
        {user.email}
      </p>
    </div>
  </div>
)

type SidebarProps = { user: CurrentUser; sections: NavSection[]; collapsed?: boolean; onFollow?: () => void }

/** Logo, sections, and whose session it is; the same inside the slide-in menu of a phone. */
export function Sidebar({ user, sections, collapsed = false, onFollow }: SidebarProps) {
  const name = `${user.firstName} ${user.lastName}`
  return (
    <>
      <HomeLink collapsed={collapsed} onFollow={onFollow} />
      <SidebarNav sections={sections} collapsed={collapsed} onFollow={onFollow} />
      <footer className={cx('space-y-3 border-t border-line p-4', collapsed && 'grid justify-items-center px-0')}>
        {collapsed ? (
          <SideTooltip label={`${name}, ${user.email}`}>
            <span role="img" aria-label={name}>
              <Avatar firstName={user.firstName} lastName={user.lastName} size={36} />
            </span>
          </SideTooltip>
        ) : (
          <>
            <SidebarUser user={user} />
            <VersionFooter />
          </>
        )}
      </footer>
    </>
  )
}
