import { AccountClosure } from '../features/closure/portal.tsx'
import { LeaveOperation } from '../features/joining/portal-card.tsx'
import { OwnMandates } from '../features/mandates/portal.tsx'
import { OwnFeed } from '../features/own-feed/own-feed.tsx'
import PortalProfile from '../features/profile/portal.tsx'

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
