import type { ReactNode } from 'react'
import { useSession } from '../../lib/session.ts'
import { Card } from '../../ui/card.tsx'
import { DataExport } from './data-export.tsx'
import { ProfileIdentity } from './identity.tsx'
import { Passkeys } from './passkeys.tsx'
import { PasswordCard } from './password.tsx'
import { SecondFactorCard } from './second-factor.tsx'
import { SessionsCard } from './sessions.tsx'

/** How one signs in holds in every company: a session that one company's provider opened does not change it. */
function SingleSignOnNotice({ company }: { company: string }) {
  return (
    <Card title="Sécurité du compte">
      <p className="text-body text-ink-soft">
        Vous êtes connecté(e) par la connexion d’entreprise de «{'\u00a0'}
        {company}
        {'\u00a0'}»{'\u00a0'}: cette session n’ouvre que cette organisation. Pour changer votre mot de passe, votre
        double authentification ou vos clés d’accès, connectez-vous avec votre mot de passe.
      </p>
    </Card>
  )
}

/** One profile for both roles; only the page around it differs, and what a role adds after the identity. */
export function ProfileSections({ children, last }: { children?: ReactNode; last?: ReactNode }) {
  const { user } = useSession()
  if (!user) return null
  return (
    <div className="grid gap-6">
      <ProfileIdentity user={user} />
      {children}
      {user.bySingleSignOn ? (
        <SingleSignOnNotice company={user.companyName} />
      ) : (
        <>
          <PasswordCard />
          <SecondFactorCard user={user} />
          <Passkeys />
        </>
      )}
      <SessionsCard />
      <DataExport />
      {last}
    </div>
  )
}
