import type { CurrentUser } from '@voisol/contract/auth'
import { useLayoutEffect } from 'react'
import { Link, Outlet } from 'react-router'
import { NotificationMenu } from '../features/notifications/menu.tsx'
import { useSession } from '../lib/session.ts'
import { screens } from '../screens.ts'
import { FullScreenSpinner } from '../ui/spinner.tsx'
import { AccountMenu } from './account-menu.tsx'
import { BrandMark } from './brand-mark.tsx'
import { CompanyMenu } from './company-menu.tsx'
import { itemsOf } from './nav.ts'
import { PortalBar, PortalLinks } from './portal-nav.tsx'
import { Version } from './version.tsx'

const items = itemsOf(screens, 'portal')

/** Larger text and targets, on the whole document because dialogs open outside the shell. */
function useComfort() {
  useLayoutEffect(() => {
    document.documentElement.dataset.density = 'comfortable'
    return () => {
      delete document.documentElement.dataset.density
    }
  }, [])
}

const Header = ({ user }: { user: CurrentUser }) => (
  <header data-print="hide" className="sticky top-0 z-20 border-b border-line bg-card">
    <div aria-hidden="true" className="h-1 bg-local" />
    <div className="mx-auto flex h-16 w-full max-w-5xl items-center gap-2 px-4 sm:px-6">
      <Link to="/client-portal" className="mr-auto flex min-h-11 min-w-0 items-center gap-2.5 md:mr-6">
        <BrandMark className="size-8" />
        <span className="sr-only">, accueil de votre espace</span>
      </Link>
      <PortalLinks items={items} />
      <CompanyMenu user={user} />
      <NotificationMenu all="/client-portal/notifications" />
      <AccountMenu user={user} profile="/client-portal/profile" />
    </div>
  </header>
)

function Shell({ user }: { user: CurrentUser }) {
  useComfort()
  return (
    <div className="flex min-h-dvh flex-col bg-[#fffcf7]">
      <Header user={user} />
      <main id="contenu" className="mx-auto w-full max-w-5xl flex-1 px-4 py-6 sm:px-6 sm:py-10">
        <Outlet key={user.companyId} />
      </main>
      <footer className="mx-auto flex w-full max-w-5xl flex-wrap items-center justify-between gap-x-6 gap-y-1 px-4 pt-4 pb-24 text-[0.8125rem] text-ink-soft sm:px-6 md:pb-6">
        <p>{user.companyName}</p>
        <Version />
      </footer>
      <PortalBar items={items} />
    </div>
  )
}

/** Around every screen of the portal; the guard has let a client in. */
export function PortalShell() {
  const { user } = useSession()
  return user ? <Shell user={user} /> : <FullScreenSpinner />
}
