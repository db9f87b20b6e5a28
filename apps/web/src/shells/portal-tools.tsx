import type { CurrentUser } from '@voisol/contract/auth'
import { NotificationMenu } from '../features/notifications/menu.tsx'
import { AccountMenu } from './account-menu.tsx'
import { CompanyMenu } from './company-menu.tsx'

/** The right end of the portal's header. */
export const PortalTools = ({ user }: { user: CurrentUser }) => (
  <>
    <CompanyMenu user={user} />
    <NotificationMenu all="/client-portal/notifications" />
    <AccountMenu user={user} profile="/client-portal/profile" />
  </>
)
