import Bell from 'lucide-react/icons/bell'
import ContactRound from 'lucide-react/icons/contact-round'
import FolderKanban from 'lucide-react/icons/folder-kanban'
import House from 'lucide-react/icons/house'
import LayoutDashboard from 'lucide-react/icons/layout-dashboard'
import Leaf from 'lucide-react/icons/leaf'
import Network from 'lucide-react/icons/network'
import PlugZap from 'lucide-react/icons/plug-zap'
import Settings from 'lucide-react/icons/settings'
import Sun from 'lucide-react/icons/sun'
import User from 'lucide-react/icons/user'
import UserCog from 'lucide-react/icons/user-cog'
import Users from 'lucide-react/icons/users'

/** Icons by name, so that the table of screens stays light: only the shells load them. */
export const navIcons = {
  bell: Bell,
  clients: ContactRound,
  consumption: PlugZap,
  dashboard: LayoutDashboard,
  home: House,
  impact: Leaf,
  operations: Network,
  production: Sun,
  projects: FolderKanban,
  settings: Settings,
  user: User,
  userCog: UserCog,
  users: Users,
}
export type NavIcon = keyof typeof navIcons
