import type { ReactNode } from 'react'
import { useSession } from '../../lib/session.ts'
import { DataExport } from './data-export.tsx'
import { Identity } from './identity.tsx'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'

/** One profile for both roles; only the page around it differs, and what a role adds after the identity. */
export function ProfileSections({ children, last }: { children?: ReactNode; last?: ReactNode }) {
  const { user } = useSession()
  if (!user) return null
  return (
    <div className="grid gap-6">
      <Identity user={user} />
      {children}
      <Password />
      <SecondFactor user={user} />
      <Passkeys />
      <Sessions />
      <DataExport />
      {last}
    </div>
  )
}
