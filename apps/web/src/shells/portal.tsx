import type { CurrentUser } from '@voisol/contract/auth'
import { type ReactNode, Suspense } from 'react'
import { Link, Outlet, useLocation, useNavigate } from 'react-router'
import { useBrand } from '../lib/brand.ts'
import { useComfortableDensity } from '../lib/density.ts'
import { useSession } from '../lib/session.ts'
import { portalScreens } from '../screens/portal.ts'
import { lazy } from '../ui/lazy.tsx'
import { FullScreenSpinner } from '../ui/spinner.tsx'
import { BrandMark } from './brand-mark.tsx'
import { CommandTrigger, Palette, usePaletteOpen } from './command-trigger.tsx'
import { buildNavItems } from './nav.ts'
import { isPersonalScreen, PortalBar, PortalLinks, usePortalItems } from './portal-nav.tsx'
import { PortalTools } from './portal-tools.tsx'
import { usePreload } from './prepare.ts'
import { VersionFooter } from './version.tsx'

const ImpersonationBanner = lazy(() => import('./viewing.tsx'))
const PersonalScreenNotice = lazy(async () => ({ default: (await import('./viewing.tsx')).PersonalScreenNotice }))
const PortalClosed = lazy(() => import('./portal-closed.tsx'))

const items = buildNavItems(portalScreens, 'portal')

const preloadOverlays = () => [
  import('../ui/menu-open.tsx'),
  import('../ui/popover-open.tsx'),
  import('./installable.ts').then(({ registerPortalApp: makeInstallable }) => makeInstallable()),
]

const Header = ({ user, onSearch }: { user: CurrentUser; onSearch: () => void }) => (
  <header data-print="hide" className="sticky top-0 z-20 border-b border-line bg-card">
    <div aria-hidden="true" className="h-1 bg-local" />
    <div className="mx-auto flex h-16 w-full max-w-5xl items-center gap-2 px-4 sm:px-6 xl:max-w-7xl">
      <Link to="/client-portal" className="mr-auto flex min-h-11 min-w-0 items-center gap-2.5 lg:mr-4">
        <BrandMark className="size-8" />
        <span className="sr-only">, accueil de votre espace</span>
      </Link>
      <PortalLinks items={items} />
      {!user.viewing && <CommandTrigger onOpen={onSearch} narrow />}
      {!user.viewing && <PortalTools user={user} />}
    </div>
  </header>
)

function Shell({ user, children }: { user: CurrentUser; children: ReactNode }) {
  useComfortableDensity()
  usePreload(preloadOverlays)
  const navigate = useNavigate()
  const [searching, setSearching] = usePaletteOpen()
  const brand = useBrand()
  const isPersonal = isPersonalScreen(user, useLocation().pathname)
  const actions = usePortalItems(items).map(({ label, path }) => ({
    label,
    group: 'Mon espace',
    run: () => void navigate(path),
  }))
  return (
    <div className="flex min-h-dvh flex-col bg-[#fffcf7]">
      <Suspense fallback={null}>{user.viewing && <ImpersonationBanner viewing={user.viewing} />}</Suspense>
      <Header user={user} onSearch={() => setSearching(true)} />
      <main id="contenu" className="mx-auto w-full max-w-5xl flex-1 px-4 py-6 sm:px-6 sm:py-10">
        {brand?.clientPortalEnabled === false ? (
          <Suspense fallback={null}>
            <PortalClosed brand={brand} />
          </Suspense>
        ) : (
          (children ?? (isPersonal ? <PersonalScreenNotice /> : <Outlet key={user.companyId} />))
        )}
      </main>
      <footer className="mx-auto flex w-full max-w-5xl flex-wrap items-center justify-between gap-x-6 gap-y-1 px-4 pt-4 pb-24 text-[0.8125rem] text-ink-soft sm:px-6 lg:pb-6">
        <p className="min-w-0 wrap-anywhere whitespace-pre-line">
          <bdi>{brand?.clientPortalCustomizations.footer || user.companyName}</bdi>
        </p>
        <p>
          <Link to="/client-portal/words" className="inline-flex min-h-6 items-center text-link">
            Les mots expliqués
          </Link>
        </p>
        <VersionFooter />
      </footer>
      <PortalBar items={items} />
      <Palette open={searching} onOpenChange={setSearching} actions={actions} />
    </div>
  )
}

/** Around every screen of the portal; the guard has let in whoever is there. */
export function PortalShell({ children }: { children?: ReactNode }) {
  const { user } = useSession()
  return user ? <Shell user={user}>{children}</Shell> : <FullScreenSpinner />
}
