import type { AccountRequirement, CurrentUser } from '@voisol/contract/auth'
import { type ReactNode, Suspense, useState } from 'react'
import { lazy } from '../ui/lazy.tsx'
import { FullScreenSpinner } from '../ui/spinner.tsx'

const AccountRequirementPage = lazy(async () => ({
  default: (await import('../screens/duty-desk.tsx')).AccountRequirementPage,
}))

/** Stands before every screen while the account must first be secured, and until the person has read what that gave. */
export function AccountRequirementGuard({ user, children }: { user: CurrentUser | null; children: ReactNode }) {
  const [shown, setShown] = useState<{ duty: AccountRequirement; userId: string } | null>(null)
  if (user?.duty && (shown?.duty !== user.duty || shown.userId !== user.id))
    setShown({ duty: user.duty, userId: user.id })
  if (!user || shown?.userId !== user.id) return children
  return (
    <Suspense fallback={<FullScreenSpinner />}>
      <AccountRequirementPage duty={shown.duty} user={user} onDone={() => setShown(null)} />
    </Suspense>
  )
}
