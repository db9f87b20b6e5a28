import type { Space } from '@voisol/contract/permissions'
import { AdminShell } from './admin.tsx'
import { PortalShell } from './portal.tsx'
import { ScreenNotFound } from './screen-error.tsx'
import { SignedInShell } from './signed-in.tsx'

/** An address that leads nowhere, with the menus of the space around it. */
export default function NotFoundInShell({ space }: { space: Space }) {
  const Shell = space === 'office' ? AdminShell : PortalShell
  return (
    <SignedInShell>
      <Shell>
        <ScreenNotFound />
      </Shell>
    </SignedInShell>
  )
}
