import type { CurrentUser } from '@voisol/contract/auth'
import MenuIcon from 'lucide-react/icons/menu'
import PanelLeftClose from 'lucide-react/icons/panel-left-close'
import PanelLeftOpen from 'lucide-react/icons/panel-left-open'
import { NotificationMenu } from '../features/notifications/menu.tsx'
import { Breadcrumbs } from '../ui/breadcrumbs.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { AccountMenu } from './account-menu.tsx'
import { CommandTrigger } from './command-trigger.tsx'
import { CompanyMenu } from './company-menu.tsx'
import type { Crumb } from './nav.ts'
import { ReportsMenu } from './reports-menu.tsx'
import { ThemeMenu } from './theme-menu.tsx'

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
