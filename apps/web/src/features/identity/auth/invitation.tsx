import { useQuery } from '@tanstack/react-query'
import { auth } from '@voisol/contract/auth'
import { AcceptInvitation, type Invitee } from '@voisol/contract/invitations'
import { type ReactNode, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { ButtonLink } from '../../../components/button.tsx'
import { Field } from '../../../components/field.tsx'
import { FieldFrame, Input } from '../../../components/input.tsx'
import { Spinner } from '../../../components/loading.tsx'
import { PasswordInput } from '../../../components/password-input.tsx'
import { call } from '../../../lib/call.ts'
import { explainError } from '../../../lib/error-text.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { query } from '../../../lib/queries.ts'
import { getHomePath } from '../../../lib/redirect.ts'
import { startSession } from '../../../lib/session.ts'
import { AuthForm, AuthHeading, AuthNotice, getAcceptedFactors, getProblemCode, showFormErrors } from './auth-form.tsx'
import {
  adminPasswordHint,
  clientPasswordHint,
  MIN_ADMIN_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
} from './new-password.tsx'
import { type FactorNames, type SecondFactorProof, SecondFactorStep } from './second-factor.tsx'

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

type InviteeData = z.infer<typeof Invitee>
type AcceptInvitationInput = z.output<typeof AcceptInvitation>

const NamesForm = AcceptInvitation.omit({ code: true, passkey: true })
/** An existing account proves itself; a new one chooses, under the rule of its role. */
const buildInvitationSchema = ({ hasAccount, role }: InviteeData) =>
  hasAccount
    ? NamesForm
    : NamesForm.extend({
        password: z
          .string()
          .min(role === 'admin' ? MIN_ADMIN_PASSWORD_LENGTH : MIN_PASSWORD_LENGTH)
          .max(1024),
      })

/** Greyed but readable by password managers, which take the account's name from it. */
function EmailLine({ email }: { email: string }) {
  const id = useId()
  return (
    <FieldFrame id={id} label="Adresse e-mail">
      <Input id={id} type="email" readOnly value={email} autoComplete="username" className="bg-page" />
    </FieldFrame>
  )
}

function useAcceptInvitation(token: string) {
  const navigate = useNavigate()
  return async (body: AcceptInvitationInput) => {
    const user = startSession(await call(auth.acceptInvitation, { params: { token }, body }))
    await navigate(getHomePath(user), { replace: true })
  }
}

function InvitationForm({ token, invitee, heading }: { token: string; invitee: InviteeData; heading: ReactNode }) {
  const accept = useAcceptInvitation(token)
  const [pendingAnswer, setKnown] = useState<{ answer: AcceptInvitationInput; factors: FactorNames }>()
  const { firstName, lastName, hasAccount, role } = invitee
  const form = useSchemaForm(buildInvitationSchema(invitee), {
    defaults: { firstName, lastName, password: '' },
    save: async (answer): Promise<void> => {
      try {
        await accept(answer)
      } catch (error) {
        if (getProblemCode(error) === 'second-factor-required') setKnown({ answer, factors: getAcceptedFactors(error) })
        else showFormErrors(form, error)
      }
    },
  })
  if (pendingAnswer) {
    const submit = (proof: SecondFactorProof) => accept({ ...pendingAnswer.answer, ...proof })
    return <SecondFactorStep factors={pendingAnswer.factors} submit={submit} onBack={() => setKnown(undefined)} />
  }
  const hint = hasAccount ? undefined : role === 'admin' ? adminPasswordHint : clientPasswordHint
  return (
    <>
      {heading}
      <AuthForm form={form} action="Accepter l’invitation">
        <EmailLine email={invitee.email} />
        {!hasAccount && (
          <div className="grid gap-5 sm:grid-cols-2">
            <Field form={form} name="firstName" label="Prénom" autoComplete="given-name" />
            <Field form={form} name="lastName" label="Nom" autoComplete="family-name" />
          </div>
        )}
        <Field form={form} name="password" label="Mot de passe" hint={hint}>
          {(control) => (
            <PasswordInput
              {...control}
              autoComplete={hasAccount ? 'current-password' : 'new-password'}
              advice={!hasAccount && role === 'client'}
            />
          )}
        </Field>
      </AuthForm>
    </>
  )
}
