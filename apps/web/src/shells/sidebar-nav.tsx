import ChevronDown from 'lucide-react/icons/chevron-down'
import { useId } from 'react'
import { useLocation } from 'react-router'
import { cx } from '../ui/cx.ts'
import { isActiveItem, type NavSection } from './nav.ts'
import { SidebarItem } from './sidebar-item.tsx'
import { useOpenSections } from './use-sidebar.ts'

type SectionProps = {
  section: NavSection
  pathname: string
  collapsed: boolean
  open: boolean
  onToggle: () => void
  onFollow?: () => void
}

function Section({ section, pathname, collapsed, open, onToggle, onFollow }: SectionProps) {
  const id = useId()
  const shown = open || collapsed
  return (
    <div className={cx(collapsed && 'border-t border-line pt-2 first:border-0 first:pt-0')}>
      {!collapsed && (
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={onToggle}
          className="flex min-h-8 w-full items-center justify-between rounded-control px-2.5 text-left text-[0.8125rem] font-medium text-ink-muted hover:text-ink"
        >
          {section.label}
          <ChevronDown
            aria-hidden="true"
            className={cx('size-4 transition-transform duration-150', !open && '-rotate-90')}
          />
        </button>
      )}
      <ul id={id} hidden={!shown} aria-label={section.label} className="mt-0.5 space-y-0.5">
        {shown &&
          section.items.map((item) => (
            <SidebarItem
              key={item.path}
              item={item}
              active={isActiveItem(pathname, item.path)}
              here={pathname === item.path}
              collapsed={collapsed}
              onFollow={onFollow}
            />
          ))}
      </ul>
    </div>
  )
}

type Props = { sections: NavSection[]; collapsed: boolean; onFollow?: () => void }

export function SidebarNav({ sections, collapsed, onFollow }: Props) {
  const { pathname } = useLocation()
  const [open, toggle] = useOpenSections(sections, pathname)
  return (
    <nav
      aria-label="Navigation principale"
      className={cx('flex-1 space-y-3 overflow-y-auto overscroll-contain p-3', collapsed && 'space-y-2')}
    >
      {sections.map((section) => (
        <Section
          key={section.id}
          section={section}
          pathname={pathname}
          collapsed={collapsed}
          open={open.has(section.id)}
          onToggle={() => toggle(section.id)}
          onFollow={onFollow}
        />
      ))}
    </nav>
  )
}
