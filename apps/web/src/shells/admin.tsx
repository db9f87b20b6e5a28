import type { CurrentUser } from '@voisol/contract/auth'
import { type ReactNode, Suspense, useMemo, useSyncExternalStore } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router'
import { LinkAccessContext } from '../lib/doors.ts'
import { signOutWithOverlay } from '../lib/logout-overlay.ts'
import { useSession } from '../lib/session.ts'
import { getPageSettings } from '../lib/settings.ts'
import { screenNames } from '../lib/shown.ts'
import { namesByPath } from '../lib/subject.ts'
import { filterAllowedScreens, getScreens } from '../screens/table.ts'
import type { Screen } from '../screens/types.ts'
import { cx } from '../ui/cx.ts'
import { lazy } from '../ui/lazy.tsx'
import { OpenFailure } from '../ui/not-opened.tsx'
import { useHasOpened } from '../ui/once-open.ts'
import { FullScreenSpinner } from '../ui/spinner.tsx'
import { AdminHeader } from './admin-header.tsx'
import type { PaletteAction } from './command-palette.tsx'
import { Palette, usePaletteOpen } from './command-trigger.tsx'
import {
  buildCrumbs,
  buildNavSections,
  buildPaletteEntries,
  createCanOpen,
  createHasScreen,
  createKeepsPeriod,
  nameCrumbs,
} from './nav.ts'
import { NavigationHelp } from './navigation-help.tsx'
import { usePreload } from './prepare.ts'
import { filterAvailableReports } from './reports.ts'
import { Sidebar } from './sidebar.tsx'
import { TrialBanner } from './trial-banner.tsx'
import { useMobileMenu, useSidebarCollapsed } from './use-sidebar.ts'
import { EmailVerificationBanner } from './verify-banner.tsx'

const loadMobileMenu = () => import('./mobile-menu.tsx')
const MobileMenu = lazy(loadMobileMenu, OpenFailure)
const ExampleBanner = lazy(async () => ({ default: (await import('./example-banner.tsx')).ExampleBanner }))
const preloadOverlays = () => [
  import('../ui/menu-open.tsx'),
  import('../ui/popover-open.tsx'),
  import('../ui/dialog-open.tsx'),
  import('../ui/confirm-open.tsx'),
  loadMobileMenu(),
]

const table = getScreens(getPageSettings().development === 'true')

function usePaletteActions(
  screens: readonly Screen[],
  companyId: number,
  collapsed: boolean,
  toggleSidebar: () => void,
): PaletteAction[] {
  const navigate = useNavigate()
  return [
    ...buildPaletteEntries(screens, 'admin', companyId).map(({ path, label, group }) => ({
      label,
      group,
      run: () => void navigate(path),
    })),
    { label: collapsed ? 'Déployer le menu' : 'Réduire le menu', group: 'Actions', run: toggleSidebar },
    { label: 'Se déconnecter', group: 'Actions', run: signOutWithOverlay },
  ]
}

function Shell({ user, children }: { user: CurrentUser; children: ReactNode }) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const [collapsed, toggleSidebar] = useSidebarCollapsed()
  const [menuOpen, setMenuOpen] = useMobileMenu(pathname)
  const [paletteOpen, setPaletteOpen] = usePaletteOpen()
  usePreload(preloadOverlays)
  const screens = useMemo(() => filterAllowedScreens(table, user), [user])
  const opens = useMemo(() => createCanOpen(table, screens), [screens])
  const sections = useMemo(() => buildNavSections(screens, user.companyId), [screens, user.companyId])
  const linkAccess = useMemo(
    () => ({ opens, keepsPeriod: createKeepsPeriod(table), shows: createHasScreen(screens) }),
    [opens, screens],
  )
  const names = useSyncExternalStore(namesByPath.subscribe, namesByPath.read)
  const { open } = useSyncExternalStore(screenNames.subscribe, screenNames.read)
  const crumbs = nameCrumbs(
    buildCrumbs(table, pathname, (row) => screens.includes(row)),
    { pathname, names, open },
  )
  const openMenu = () => setMenuOpen(true)
  const search = () => setPaletteOpen(true)
  return (
    <LinkAccessContext value={linkAccess}>
      <div className="flex min-h-dvh">
        <aside
          aria-label="Menu"
          data-print="hide"
          className={cx(
            'sticky top-0 hidden h-dvh shrink-0 flex-col border-r border-line bg-card transition-[width] duration-200 ease-out lg:flex',
            collapsed ? 'w-16' : 'w-64',
          )}
        >
          <Sidebar user={user} sections={sections} collapsed={collapsed} />
        </aside>
        {useHasOpened(menuOpen) && (
          <Suspense fallback={null}>
            <MobileMenu open={menuOpen} onOpenChange={setMenuOpen}>
              <Sidebar user={user} sections={sections} onFollow={() => setMenuOpen(false)} />
            </MobileMenu>
          </Suspense>
        )}
        <div className="flex min-w-0 flex-1 flex-col">
          {(user.trialEndsAt || user.readOnly) && <TrialBanner endsAt={user.trialEndsAt} readOnly={user.readOnly} />}
          {user.exampleOf !== null && (
            <Suspense fallback={null}>
              <ExampleBanner home={user.exampleOf} />
            </Suspense>
          )}
          {!user.emailVerified && <EmailVerificationBanner email={user.email} />}
          <AdminHeader
            user={user}
            crumbs={crumbs}
            reports={filterAvailableReports(screens)}
            collapsed={collapsed}
            onCollapse={toggleSidebar}
            onMenu={openMenu}
            onSearch={search}
          />
          <main id="contenu" className="mx-auto w-full max-w-[1600px] flex-1 p-4 sm:p-6 lg:p-8">
            {children ?? <Outlet key={user.companyId} />}
          </main>
          <NavigationHelp
            crumbs={crumbs}
            onMenu={openMenu}
            onSearch={search}
            onNotifications={() => void navigate('/notifications')}
          />
        </div>
        <Palette
          open={paletteOpen}
          onOpenChange={setPaletteOpen}
          actions={usePaletteActions(screens, user.companyId, collapsed, toggleSidebar)}
        />
      </div>
    </LinkAccessContext>
  )
}

/** Around every screen of the back office; the guard has let in whoever works there. */
export function AdminShell({ children }: { children?: ReactNode }) {
  const { user } = useSession()
  return user ? <Shell user={user}>{children}</Shell> : <FullScreenSpinner />
}
