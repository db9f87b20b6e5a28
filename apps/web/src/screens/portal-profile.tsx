import { OwnMandates } from '../features/mandates/portal.tsx'
import { OwnFeed } from '../features/own-feed/portal.tsx'
import PortalProfile from '../features/profile/portal.tsx'

/** A client's profile, with the mandates under which their invoices are debited and what reads their figures. */
export default function PortalProfileScreen() {
  return (
    <PortalProfile>
      <OwnMandates />
      <OwnFeed />
    </PortalProfile>
  )
}
