import { useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { PRODUCT_NAME } from '../lib/metadata.ts'
import { getHeaderEntries, getMainAction } from '../site/menu.ts'
import { ButtonLink } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { Logo } from '../ui/logo.tsx'
import { SiteMenu } from './site-menu.tsx'
import { MobileToggle, SiteMobileMenu } from './site-mobile.tsx'

const BORDER_AFTER = 20

function subscribeToScroll(changed: () => void) {
  addEventListener('scroll', changed, { passive: true })
  return () => removeEventListener('scroll', changed)
}
const useScrolled = () =>
  useSyncExternalStore(
    subscribeToScroll,
    () => window.scrollY > BORDER_AFTER,
    () => false,
  )

export function SiteHeader() {
  const [open, setOpen] = useState(false)
  const scrolled = useScrolled()
  const entries = getHeaderEntries()
  const action = getMainAction()
  const close = () => setOpen(false)
  return (
    <header
      data-print="hide"
      className={cx(
        'sticky top-0 z-40 border-b bg-white transition-colors duration-150',
        scrolled || open ? 'border-line' : 'border-transparent',
      )}
    >
      <div className="mx-auto flex h-16 max-w-[1248px] items-center gap-6 px-4 sm:px-6">
        <Link
          to="/"
          onClick={close}
          className="flex items-center gap-2.5 rounded-sm text-xl font-semibold tracking-tight"
        >
          <Logo className="size-8" />
          {PRODUCT_NAME}
        </Link>
        <SiteMenu entries={entries} />
        <div className="ml-auto flex items-center gap-2">
          <ButtonLink to="/login" variant="quiet" className="max-sm:hidden">
            Connexion
          </ButtonLink>
          <ButtonLink to={action.href} className="max-sm:hidden">
            {action.label}
          </ButtonLink>
          <MobileToggle open={open} onToggle={() => setOpen(!open)} />
        </div>
      </div>
      {open && <SiteMobileMenu entries={entries} action={action} onClose={close} />}
    </header>
  )
}
