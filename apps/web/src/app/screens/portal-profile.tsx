import { OwnFeed } from '../../features/admin/own-feed/own-feed.tsx'
import PortalProfile from '../../features/identity/profile/portal.tsx'
import { OwnMandates } from '../../features/payments/mandates/portal.tsx'
import { AccountClosure } from '../../features/portal/closure/portal.tsx'
import { LeaveOperation } from '../../features/portal/joining/portal-card.tsx'

/** A client's profile, with the mandates under which their invoices are debited, what reads their figures, and the way out. */
export default function PortalProfileScreen() {
  return (
    <PortalProfile last={<AccountClosure />}>
      <OwnMandates />
      <OwnFeed />
      <LeaveOperation />
    </PortalProfile>
  )
}
