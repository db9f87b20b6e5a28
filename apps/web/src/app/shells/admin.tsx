import type { CurrentUser } from '@voisol/contract/auth'
import ChevronDown from 'lucide-react/icons/chevron-down'
import {
  type ReactElement,
  type ReactNode,
  Suspense,
  useEffect,
  useId,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { Link, Outlet, useLocation, useNavigate } from 'react-router'
import { Avatar } from '../../components/avatar.tsx'
import { cx } from '../../components/cx.ts'
import { lazy } from '../../components/lazy.tsx'
import { FullScreenSpinner } from '../../components/loading.tsx'
import { OpenFailure, useHasOpened } from '../../components/open-on-demand.tsx'
import { Tooltip } from '../../components/tooltip.tsx'
import { LinkAccessContext } from '../../lib/link-access.ts'
import { signOutWithOverlay } from '../../lib/logout-overlay.ts'
import { debounce, RESIZE_DEBOUNCE_MS } from '../../lib/navigation.ts'
import { namesByPath } from '../../lib/object-names.ts'
import { screenNames } from '../../lib/page-title.ts'
import { useSession } from '../../lib/session.ts'
import { getPageSettings } from '../../lib/settings.ts'
import { readStorage, toStorageKey, writeStorage } from '../../lib/storage.ts'
import { filterAllowedScreens, getScreens } from '../screens/table.ts'
import type { Screen, ScreenSection } from '../screens/types.ts'
import { AdminHeader, EmailVerificationBanner, filterAvailableReports, NavigationHelp } from './admin-header.tsx'
import { BrandMark, VersionFooter } from './brand-mark.tsx'
import type { PaletteAction } from './command-palette.tsx'
import { Palette, usePaletteOpen } from './command-trigger.tsx'
import {
  buildCrumbs,
  buildNavSections,
  buildPaletteEntries,
  createCanOpen,
  createHasScreen,
  createKeepsPeriod,
  isActiveItem,
  listActiveSections,
  type NavItem,
  type NavSection,
  nameCrumbs,
} from './nav.ts'
import { navIcons } from './nav-icons.ts'
import { TrialBanner } from './trial-banner.tsx'
import { usePreload } from './use-preload.ts'

const loadMobileMenu = () => import('./mobile-menu.tsx')
const MobileMenu = lazy(loadMobileMenu, OpenFailure)
const ExampleBanner = lazy(async () => ({ default: (await import('./example-banner.tsx')).ExampleBanner }))
const preloadOverlays = () => [
  import('../../components/menu-open.tsx'),
  import('../../components/popover-open.tsx'),
  import('../../components/dialog-open.tsx'),
  import('../../components/confirm-open.tsx'),
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
function Sidebar({ user, sections, collapsed = false, onFollow }: SidebarProps) {
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

function SidebarNav({ sections, collapsed, onFollow }: Props) {
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

/** Beside the icon, not above it, where it would hide the one before. */
const SideTooltip = ({ label, children }: { label: string; children: ReactElement<object> }) => (
  <Tooltip label={label} side="right">
    {children}
  </Tooltip>
)

type SidebarItemProps = { item: NavItem; active: boolean; here: boolean; collapsed: boolean; onFollow?: () => void }

function SidebarItem({ item, active, here, collapsed, onFollow }: SidebarItemProps) {
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

const SIDEBAR_KEY = toStorageKey('sidebar')
/** Tailwind's lg: from here the sidebar stands beside the page, below it slides over. */
const DESKTOP_MIN_WIDTH = 1024

function useSidebarCollapsed() {
  const [collapsed, setCollapsed] = useState(() => readStorage(SIDEBAR_KEY) === 'collapsed')
  const toggle = () => {
    writeStorage(SIDEBAR_KEY, collapsed ? 'expanded' : 'collapsed')
    setCollapsed(!collapsed)
  }
  return [collapsed, toggle] as const
}

/** Sections open and close by hand; arriving on a screen opens its own. */
function useOpenSections(sections: NavSection[], pathname: string) {
  const current = listActiveSections(sections, pathname).join(' ')
  const [open, setOpen] = useState(() => new Set(sections.filter((s) => s.startsOpen).map((s) => s.id)))
  useEffect(() => {
    const opened = current.split(' ').filter(Boolean) as ScreenSection[] // joined from section ids just above
    setOpen((old) => new Set([...old, ...opened]))
  }, [current])
  const toggle = (id: ScreenSection) =>
    setOpen((old) => {
      const next = new Set(old)
      if (!next.delete(id)) next.add(id)
      return next
    })
  return [open, toggle] as const
}

/** The slide-in menu: closed by navigating, and by a window that grows wide enough to do without it. */
function useMobileMenu(pathname: string) {
  const [open, setOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: arriving elsewhere is what closes it
  useEffect(() => setOpen(false), [pathname])
  useEffect(() => {
    const resized = debounce(() => window.innerWidth >= DESKTOP_MIN_WIDTH && setOpen(false), RESIZE_DEBOUNCE_MS)
    window.addEventListener('resize', resized)
    return () => {
      resized.cancel()
      window.removeEventListener('resize', resized)
    }
  }, [])
  return [open, setOpen] as const
}
