import Bell from 'lucide-react/icons/bell'
import House from 'lucide-react/icons/house'
import LayoutDashboard from 'lucide-react/icons/layout-dashboard'
import Settings from 'lucide-react/icons/settings'
import User from 'lucide-react/icons/user'
import UserCog from 'lucide-react/icons/user-cog'
import Users from 'lucide-react/icons/users'

/** Icons by name, so that the table of screens stays light: only the shells load them. */
export const navIcons = {
  bell: Bell,
  dashboard: LayoutDashboard,
  home: House,
  settings: Settings,
  user: User,
  userCog: UserCog,
  users: Users,
}
export type NavIcon = keyof typeof navIcons
