import ChevronDown from 'lucide-react/icons/chevron-down'
import MenuIcon from 'lucide-react/icons/menu'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { isActiveEntry, type SiteMenuEntry, type SiteMenuLink } from '../site/menu.ts'
import { ButtonLink } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'

const PANEL_ID = 'menu-mobile'

export function MobileToggle({ open, onToggle }: { open: boolean; onToggle: () => void }) {
  const Icon = open ? X : MenuIcon
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-controls={open ? PANEL_ID : undefined}
      onClick={onToggle}
      onKeyDown={(event) => event.key === 'Escape' && open && onToggle()}
      className="inline-flex min-h-11 items-center gap-2 rounded-control px-3 font-medium lg:hidden"
    >
      <Icon aria-hidden="true" className="size-5" />
      {open ? 'Fermer' : 'Menu'}
    </button>
  )
}

const getRowClass = (active: boolean) =>
  cx(
    'flex min-h-12 flex-1 items-center font-medium',
    active && 'underline decoration-local decoration-2 underline-offset-8',
  )

function Section({ entry, active, onClose }: { entry: SiteMenuEntry; active: boolean; onClose: () => void }) {
  const [open, setOpen] = useState(active)
  return (
    <>
      <div className="flex items-center">
        <Link to={entry.href} onClick={onClose} className={getRowClass(active)}>
          {entry.label}
        </Link>
        <button
          type="button"
          aria-label={`Sous-menu ${entry.label}`}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="grid size-12 place-items-center rounded-control text-ink-soft"
        >
          <ChevronDown
            aria-hidden="true"
            className={cx('size-5 transition-transform duration-150', open && 'rotate-180')}
          />
        </button>
      </div>
      {open && (
        <ul className="mb-3 border-l-2 border-line pl-4">
          {entry.children.map(({ label, href }) => (
            <li key={href}>
              <Link to={href} onClick={onClose} className="flex min-h-11 items-center text-ink-soft">
                {label}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

type Props = { entries: SiteMenuEntry[]; action: SiteMenuLink; onClose: () => void }
/** The same entries, one under the other; any link closes it. */
export function SiteMobileMenu({ entries, action, onClose }: Props) {
  const { pathname } = useLocation()
  return (
    <nav
      id={PANEL_ID}
      aria-label="Principale"
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
      className="absolute inset-x-0 top-full max-h-[calc(100dvh-4rem)] overflow-y-auto border-line border-b bg-white px-4 pb-6 shadow-float sm:px-6 lg:hidden"
    >
      <ul className="divide-y divide-line">
        {entries.map((entry) => (
          <li key={entry.href}>
            {entry.children.length > 0 ? (
              <Section entry={entry} active={isActiveEntry(pathname, entry.href)} onClose={onClose} />
            ) : (
              <Link to={entry.href} onClick={onClose} className={getRowClass(isActiveEntry(pathname, entry.href))}>
                {entry.label}
              </Link>
            )}
          </li>
        ))}
      </ul>
      <div className="mt-4 grid gap-3 sm:hidden">
        <ButtonLink to={action.href} onClick={onClose}>
          {action.label}
        </ButtonLink>
        <ButtonLink to="/login" variant="secondary" onClick={onClose}>
          Connexion
        </ButtonLink>
      </div>
    </nav>
  )
}
