import Bell from 'lucide-react/icons/bell'
import Cable from 'lucide-react/icons/cable'
import CalendarCheck from 'lucide-react/icons/calendar-check'
import CalendarDays from 'lucide-react/icons/calendar-days'
import ChartNoAxesCombined from 'lucide-react/icons/chart-no-axes-combined'
import ChartPie from 'lucide-react/icons/chart-pie'
import CloudSun from 'lucide-react/icons/cloud-sun'
import ContactRound from 'lucide-react/icons/contact-round'
import Database from 'lucide-react/icons/database'
import FileChartColumn from 'lucide-react/icons/file-chart-column'
import FileDown from 'lucide-react/icons/file-down'
import FileText from 'lucide-react/icons/file-text'
import FolderKanban from 'lucide-react/icons/folder-kanban'
import Gauge from 'lucide-react/icons/gauge'
import Headset from 'lucide-react/icons/headset'
import House from 'lucide-react/icons/house'
import KeyRound from 'lucide-react/icons/key-round'
import Landmark from 'lucide-react/icons/landmark'
import LayoutDashboard from 'lucide-react/icons/layout-dashboard'
import Leaf from 'lucide-react/icons/leaf'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import Lightbulb from 'lucide-react/icons/lightbulb'
import Network from 'lucide-react/icons/network'
import Newspaper from 'lucide-react/icons/newspaper'
import Palette from 'lucide-react/icons/palette'
import PlugZap from 'lucide-react/icons/plug-zap'
import Receipt from 'lucide-react/icons/receipt'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import Scale from 'lucide-react/icons/scale'
import ScrollText from 'lucide-react/icons/scroll-text'
import SearchCheck from 'lucide-react/icons/search-check'
import Settings from 'lucide-react/icons/settings'
import Sun from 'lucide-react/icons/sun'
import Tags from 'lucide-react/icons/tags'
import Telescope from 'lucide-react/icons/telescope'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import User from 'lucide-react/icons/user'
import UserCog from 'lucide-react/icons/user-cog'
import Users from 'lucide-react/icons/users'
import UsersRound from 'lucide-react/icons/users-round'
import Wallet from 'lucide-react/icons/wallet'
import Webhook from 'lucide-react/icons/webhook'

/** Icons by name, so that the table of screens stays light: only the shells load them. */
export const navIcons = {
  accounts: Wallet,
  analytics: ChartNoAxesCombined,
  apiKeys: KeyRound,
  audit: ScrollText,
  bell: Bell,
  billing: CalendarCheck,
  brand: Palette,
  calendar: CalendarDays,
  clients: ContactRound,
  consumption: PlugZap,
  content: Newspaper,
  dashboard: LayoutDashboard,
  database: Database,
  distribution: ChartPie,
  distributor: Cable,
  errors: TriangleAlert,
  explorer: Telescope,
  exports: FileDown,
  fiscal: FileText,
  gateway: Gauge,
  home: House,
  impact: Leaf,
  insights: Lightbulb,
  invoices: Receipt,
  operations: Network,
  participants: UsersRound,
  plants: Landmark,
  predictions: CloudSun,
  production: Sun,
  projects: FolderKanban,
  regulatory: Scale,
  reports: FileChartColumn,
  seo: SearchCheck,
  settings: Settings,
  signOn: KeyRound,
  support: LifeBuoy,
  supportDesk: Headset,
  sync: RefreshCw,
  tariffs: Tags,
  user: User,
  userCog: UserCog,
  users: Users,
  webhooks: Webhook,
}
export type NavIcon = keyof typeof navIcons
