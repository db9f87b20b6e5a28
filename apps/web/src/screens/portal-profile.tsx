import { OwnMandates } from '../features/mandates/portal.tsx'
import PortalProfile from '../features/profile/portal.tsx'

/** A client's profile, with the mandates under which their invoices are debited. */
export default function PortalProfileScreen() {
  return (
    <PortalProfile>
      <OwnMandates />
    </PortalProfile>
  )
}
