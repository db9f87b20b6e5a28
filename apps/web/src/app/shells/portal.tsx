import type { CurrentUser } from '@voisol/contract/auth'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { type ReactNode, Suspense } from 'react'
import { Link, Outlet, useLocation, useNavigate } from 'react-router'
import { cx } from '../../components/cx.ts'
import { lazy } from '../../components/lazy.tsx'
import { FullScreenSpinner } from '../../components/loading.tsx'
import { Menu, MenuLink } from '../../components/menu.tsx'
import { useMyPoints } from '../../features/analytics/energy/portal/my-points.ts'
import { NotificationMenu } from '../../features/identity/notifications/menu.tsx'
import { useComfortableDensity } from '../../lib/density.ts'
import { useSession } from '../../lib/session.ts'
import { useBrand } from '../../lib/stores.ts'
import { portalScreens } from '../screens/portal.ts'
import { BrandMark, VersionFooter } from './brand-mark.tsx'
import { CommandTrigger, Palette, usePaletteOpen } from './command-trigger.tsx'
import { AccountMenu, CompanyMenu } from './header-menus.tsx'
import { buildNavItems, findClosestItem, type NavItem } from './nav.ts'
import { navIcons } from './nav-icons.ts'
import { usePreload } from './use-preload.ts'

const ImpersonationBanner = lazy(() => import('./impersonation-banner.tsx'))
const PersonalScreenNotice = lazy(async () => ({
  default: (await import('./impersonation-banner.tsx')).PersonalScreenNotice,
}))
const PortalClosed = lazy(() => import('./portal-closed.tsx'))

const items = buildNavItems(portalScreens, 'portal')

const preloadOverlays = () => [
  import('../../components/menu-open.tsx'),
  import('../../components/popover-open.tsx'),
  import('./portal-app.ts').then(({ registerPortalApp: makeInstallable }) => makeInstallable()),
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

/** The right end of the portal's header. */
const PortalTools = ({ user }: { user: CurrentUser }) => (
  <>
    <CompanyMenu user={user} />
    <NotificationMenu all="/client-portal/notifications" />
    <AccountMenu user={user} profile="/client-portal/profile" />
  </>
)

const [CONSUMPTION, PRODUCTION] = ['/client-portal/consumption', '/client-portal/production']
const BATTERY_LABELS: Record<string, string> = { [CONSUMPTION]: 'Charge', [PRODUCTION]: 'Décharge' }
/** What a thumb can tell apart on one row. */
const MAX_BAR_ITEMS = 5

/** What stays a person's own when somebody of the back office looks at their portal. */
const isPersonalScreen = (user: CurrentUser | null, path: string) =>
  Boolean(user?.viewing) && /\/(profile|notifications|checkout|payment|departure)/.test(path)

/** Somebody without panels has no use for the producers' screen, nor a plant for the consumers'. */
function usePortalItems(items: NavItem[]): NavItem[] {
  const { mine } = useMyPoints()
  const hidden = mine?.produces ? (mine.consumes ? undefined : CONSUMPTION) : PRODUCTION
  const { user } = useSession()
  const shown = items.filter(({ path }) => path !== hidden && !isPersonalScreen(user, path))
  return mine?.battery ? shown.map((item) => ({ ...item, label: BATTERY_LABELS[item.path] ?? item.label })) : shown
}

/** The first ones, and the rest under « Plus » where all do not fit. */
const splitItems = (items: NavItem[]) =>
  items.length <= MAX_BAR_ITEMS
    ? { first: items, rest: [] }
    : { first: items.slice(0, MAX_BAR_ITEMS - 1), rest: items.slice(MAX_BAR_ITEMS - 1) }

function usePortalNavigation(items: NavItem[]) {
  const shown = usePortalItems(items)
  return { ...splitItems(shown), here: findClosestItem(useLocation().pathname, shown)?.path }
}

const getLinkClass = (active: boolean) =>
  cx(
    'inline-flex min-h-11 items-center gap-2 rounded-full px-3 text-[0.9375rem] font-medium transition-colors duration-150 xl:px-4',
    active ? 'bg-amber-100 text-amber-900' : 'text-ink-soft hover:bg-amber-50 hover:text-ink',
  )

/** In the header of a wide screen. */
function PortalLinks({ items }: { items: NavItem[] }) {
  const { first, rest, here } = usePortalNavigation(items)
  const inRest = rest.some(({ path }) => path === here)
  return (
    <nav aria-label="Navigation principale" className="hidden flex-1 gap-0.5 lg:flex">
      {first.map(({ path, icon, label }) => {
        const Icon = navIcons[icon]
        return (
          <Link
            key={path}
            to={path}
            aria-current={path === here ? 'page' : undefined}
            className={getLinkClass(path === here)}
          >
            <Icon aria-hidden="true" className="size-[1.125rem]" />
            {label}
          </Link>
        )
      })}
      {rest.length > 0 && (
        <PortalMore items={rest} here={here} className={getLinkClass(inRest)}>
          <Ellipsis aria-hidden="true" className="size-[1.125rem]" />
          Plus
        </PortalMore>
      )}
    </nav>
  )
}

const getBarClass = (active: boolean) =>
  cx(
    'grid min-h-16 min-w-0 content-center justify-items-center gap-1 text-[0.65625rem] font-medium sm:text-xs focus-visible:-outline-offset-2',
    active ? 'text-amber-900' : 'text-ink-soft',
  )

const BarContent = ({ active, icon, label }: { active: boolean; icon: ReactNode; label: string }) => (
  <>
    <span className={cx('rounded-full px-4 py-1 [&_.lucide]:size-5', active && 'bg-amber-200')}>{icon}</span>
    <span className="whitespace-nowrap">{label}</span>
  </>
)

/** Under the thumb on a phone. */
function PortalBar({ items }: { items: NavItem[] }) {
  const { first, rest, here } = usePortalNavigation(items)
  const inRest = rest.some(({ path }) => path === here)
  return (
    <nav
      aria-label="Navigation principale"
      data-print="hide"
      className="fixed inset-x-0 bottom-0 z-20 grid auto-cols-fr grid-flow-col border-t border-line bg-card pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      {first.map(({ path, icon, label }) => {
        const Icon = navIcons[icon]
        const active = path === here
        return (
          <Link key={path} to={path} aria-current={active ? 'page' : undefined} className={getBarClass(active)}>
            <BarContent active={active} icon={<Icon aria-hidden="true" />} label={label} />
          </Link>
        )
      })}
      {rest.length > 0 && (
        <PortalMore items={rest} here={here} className={getBarClass(inRest)}>
          <BarContent active={inRest} icon={<Ellipsis aria-hidden="true" />} label="Plus" />
        </PortalMore>
      )}
    </nav>
  )
}

type PortalMoreProps = { items: NavItem[]; here: string | undefined; className: string; children: ReactNode }

/** What does not fit in the bar. */
function PortalMore({ items, here, className, children }: PortalMoreProps) {
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
