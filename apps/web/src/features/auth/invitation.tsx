import { useQuery } from '@tanstack/react-query'
import { auth } from '@voisol/contract/auth'
import type { Invitee } from '@voisol/contract/invitations'
import type { z } from 'zod'
import { explainError } from '../../lib/explain.ts'
import { query } from '../../lib/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { AuthHeading } from './heading.tsx'
import { InvitationForm } from './invitation-form.tsx'
import { AuthNotice } from './notice.tsx'

const buildWelcomeText = ({ companyName, role, roleName, hasAccount }: z.infer<typeof Invitee>) => {
  const as = role === 'admin' ? `avec le rôle «\u00a0${roleName}\u00a0»` : 'pour suivre votre énergie'
  const next = hasAccount
    ? 'Saisissez votre mot de passe habituel pour accepter.'
    : 'Choisissez un mot de passe pour accepter.'
  return `${companyName} vous invite ${as}. ${next}`
}

const InvitationError = ({ error }: { error: Error }) => (
  <>
    <AuthHeading title="Invitation" />
    <AuthNotice tone="danger" focused>
      {explainError(error)}
    </AuthNotice>
    <p className="text-ink-soft">Demandez une nouvelle invitation à la personne qui vous l’a envoyée.</p>
    <ButtonLink to="/login" variant="secondary" className="justify-self-start">
      Aller à la connexion
    </ButtonLink>
  </>
)

export function Invitation({ token }: { token: string }) {
  const { data, error } = useQuery(query(auth.invitation, { params: { token } }))
  if (error) return <InvitationError error={error} />
  if (!data)
    return (
      <p role="status" className="flex items-center gap-3 text-ink-soft">
        <Spinner /> Lecture de l’invitation…
      </p>
    )
  const heading = <AuthHeading title="Vous êtes invité">{buildWelcomeText(data)}</AuthHeading>
  return <InvitationForm token={token} invitee={data} heading={heading} />
}
