import type { ReactNode } from 'react'
import { Menu, MenuLink } from '../ui/menu.tsx'
import type { NavItem } from './nav.ts'
import { navIcons } from './nav-icons.ts'

type PortalMoreProps = { items: NavItem[]; here: string | undefined; className: string; children: ReactNode }

/** What does not fit in the bar. */
export function PortalMore({ items, here, className, children }: PortalMoreProps) {
  const current = items.find(({ path }) => path === here)
  return (
    <Menu
      trigger={
        <button type="button" className={className} aria-current={current ? 'true' : undefined}>
          {children}
        </button>
      }
    >
      {items.map(({ path, icon, label }) => {
        const Icon = navIcons[icon]
        return (
          <MenuLink key={path} to={path} icon={<Icon aria-hidden="true" />}>
            {label}
          </MenuLink>
        )
      })}
    </Menu>
  )
}
