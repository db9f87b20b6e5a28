import type { CurrentUser } from '@voisol/contract/auth'
import Bell from 'lucide-react/icons/bell'
import ChevronDown from 'lucide-react/icons/chevron-down'
import CircleQuestionMark from 'lucide-react/icons/circle-question-mark'
import FileChartColumn from 'lucide-react/icons/file-chart-column'
import MailCheck from 'lucide-react/icons/mail-check'
import MenuIcon from 'lucide-react/icons/menu'
import Palette from 'lucide-react/icons/palette'
import PanelLeftClose from 'lucide-react/icons/panel-left-close'
import PanelLeftOpen from 'lucide-react/icons/panel-left-open'
import Search from 'lucide-react/icons/search'
import { type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Menu, MenuLabel, MenuLink } from '../../components/menu.tsx'
import { Breadcrumbs } from '../../components/page-header.tsx'
import { Popover } from '../../components/popover.tsx'
import { NotificationMenu } from '../../features/identity/notifications/menu.tsx'
import { readStorage, toStorageKey, writeStorage } from '../../lib/storage.ts'
import { useVerificationLink } from '../../lib/verification-link.ts'
import type { Screen } from '../screens/types.ts'
import { CommandTrigger } from './command-trigger.tsx'
import { AccountMenu, CompanyMenu, MenuChoices } from './header-menus.tsx'
import type { Crumb } from './nav.ts'

type Props = {
  user: CurrentUser
  crumbs: Crumb[]
  reports: { path: string; label: string }[]
  collapsed: boolean
  onCollapse: () => void
  onMenu: () => void
  onSearch: () => void
}

const SidebarButtons = ({ collapsed, onCollapse, onMenu }: Pick<Props, 'collapsed' | 'onCollapse' | 'onMenu'>) => (
  <>
    <IconButton
      label="Ouvrir le menu"
      icon={<MenuIcon aria-hidden="true" />}
      onClick={onMenu}
      className="max-sm:size-11 lg:hidden"
    />
    <IconButton
      label={collapsed ? 'Déployer le menu' : 'Réduire le menu'}
      icon={collapsed ? <PanelLeftOpen aria-hidden="true" /> : <PanelLeftClose aria-hidden="true" />}
      aria-expanded={!collapsed}
      onClick={onCollapse}
      className="max-lg:hidden"
    />
  </>
)

export const AdminHeader = ({ user, crumbs, reports, onSearch, ...sidebar }: Props) => (
  <header
    data-print="hide"
    className="sticky top-0 z-20 flex h-14 items-center gap-1 border-b border-line bg-card px-2 sm:gap-2 sm:px-4"
  >
    <SidebarButtons {...sidebar} />
    <div className="hidden min-w-0 flex-1 sm:block">
      <Breadcrumbs crumbs={crumbs} />
    </div>
    <p className="min-w-0 flex-1 truncate text-body font-medium sm:hidden">{crumbs.at(-1)?.label}</p>
    <CommandTrigger onOpen={onSearch} />
    <ReportsMenu reports={reports} />
    <CompanyMenu user={user} />
    <NotificationMenu all="/notifications" />
    <ThemeMenu />
    <AccountMenu user={user} profile="/settings/profile" settings="/settings" />
  </header>
)

function ReportsMenu({ reports }: { reports: { path: string; label: string }[] }) {
  if (!reports.length) return null
  return (
    <Menu
      trigger={
        <Button variant="quiet" icon={<FileChartColumn aria-hidden="true" />} className="px-2.5 max-lg:hidden">
          Rapports
          <ChevronDown aria-hidden="true" />
        </Button>
      }
    >
      {reports.map(({ path, label }) => (
        <MenuLink key={path} to={path}>
          {label}
        </MenuLink>
      ))}
    </Menu>
  )
}

const REPORTS = [
  { path: '/reports', label: 'Rapports énergétiques' },
  { path: '/analytics', label: 'Analyses détaillées' },
  { path: '/exports', label: 'Exports de données' },
]

/** The reports this installation has a screen for. */
export const filterAvailableReports = (table: readonly Screen[]) =>
  REPORTS.filter(({ path }) => table.some((row) => row.path === path))

const THEME_KEY = toStorageKey('theme')
const THEMES = [
  { value: 'light', label: 'Clair' },
  { value: 'dark', label: 'Sombre' },
  { value: 'system', label: 'Système' },
]

/** The choice is kept and, as specified, changes nothing: the product is light. */
function ThemeMenu() {
  const [theme, setTheme] = useState(
    () => THEMES.find(({ value }) => value === readStorage(THEME_KEY))?.value ?? 'light',
  )
  const choose = (value: string) => {
    writeStorage(THEME_KEY, value)
    setTheme(value)
  }
  return (
    <Menu trigger={<IconButton label="Thème" icon={<Palette aria-hidden="true" />} className="max-sm:hidden" />}>
      <MenuLabel>Thème</MenuLabel>
      <MenuChoices choices={THEMES} value={theme} onChange={choose} />
    </Menu>
  )
}

const stepClass =
  'flex w-full items-start gap-3 rounded-control p-2.5 text-left text-body hover:bg-ink/5 [&>.lucide]:mt-0.5 [&>.lucide]:size-4'

const Step = ({
  icon,
  title,
  text,
  onClick,
}: {
  icon: ReactNode
  title: string
  text: string
  onClick: () => void
}) => (
  <button type="button" className={stepClass} onClick={onClick}>
    {icon}
    <span>
      <span className="block font-medium">{title}</span>
      <span className="block text-[0.8125rem] text-ink-soft">{text}</span>
    </span>
  </button>
)

type NavigationHelpProps = { crumbs: Crumb[]; onMenu: () => void; onSearch: () => void; onNotifications: () => void }

/** On a phone the sidebar is out of sight: this says where one is and how to go elsewhere. Its button ends the page, over nothing. */
export const NavigationHelp = ({ crumbs, onMenu, onSearch, onNotifications }: NavigationHelpProps) => (
  <Popover
    label="Aide à la navigation"
    side="top"
    align="end"
    gap={8}
    clear={12}
    apart
    className="z-40 w-80 max-w-[calc(100vw-1.5rem)] rounded-card p-2"
    trigger={
      <button
        type="button"
        data-print="hide"
        aria-label="Aide à la navigation"
        className="m-4 ml-auto flex min-h-11 items-center gap-2 rounded-full border border-line bg-card px-4 text-body text-primary-ink lg:hidden"
      >
        <CircleQuestionMark aria-hidden="true" className="size-5" />
        Aide à la navigation
      </button>
    }
  >
    {(close) => {
      const then = (go: () => void) => () => {
        close()
        go()
      }
      return (
        <>
          <p className="px-2.5 pt-1.5 pb-2 text-[0.8125rem] text-ink-soft">
            Vous êtes ici{'\u00a0'}:{' '}
            <strong className="font-medium text-ink">{crumbs.map((c) => c.label).join(' › ')}</strong>
          </p>
          <Step
            icon={<MenuIcon aria-hidden="true" />}
            title="Ouvrir le menu"
            text="Toutes les sections de votre espace."
            onClick={then(onMenu)}
          />
          <Step
            icon={<Search aria-hidden="true" />}
            title="Rechercher"
            text="Une personne, un PRM, une opération, un écran."
            onClick={then(onSearch)}
          />
          <Step
            icon={<Bell aria-hidden="true" />}
            title="Voir les notifications"
            text="Ce qui demande votre attention."
            onClick={then(onNotifications)}
          />
        </>
      )
    }}
  </Popover>
)

/** Until the address is confirmed nobody can be invited: said where it will be missed, with the way out. */
export function EmailVerificationBanner({ email }: { email: string }) {
  const { sent, send } = useVerificationLink()
  return (
    <section
      aria-label="Adresse à confirmer"
      data-print="hide"
      className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1 border-b border-line bg-card px-4 py-1.5 text-center text-[0.8125rem]"
    >
      <MailCheck aria-hidden="true" className="hidden size-4 text-ink-soft sm:block" />
      <p>
        {sent ? 'Un nouveau lien est parti' : 'Confirmez votre adresse'}
        <span className="hidden sm:inline"> {sent ? `à ${email}` : email}</span>
        {sent ? '.' : ' pour inviter d’autres personnes et protéger votre compte.'}
      </p>
      {!sent && (
        <button
          type="button"
          onClick={send}
          className="min-h-6 font-medium text-primary-ink underline underline-offset-2"
        >
          Renvoyer le lien
        </button>
      )}
    </section>
  )
}
