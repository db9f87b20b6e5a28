import type { Space } from '@voisol/contract/permissions'
import { AdminShell } from './admin.tsx'
import { Missing } from './missing.tsx'
import { PortalShell } from './portal.tsx'
import { SignedIn } from './signed-in.tsx'

/** An address that leads nowhere, with the menus of the space around it. */
export default function LostInside({ space }: { space: Space }) {
  const Shell = space === 'office' ? AdminShell : PortalShell
  return (
    <SignedIn>
      <Shell>
        <Missing />
      </Shell>
    </SignedIn>
  )
}
