import { auth } from '@voisol/contract/auth'
import { AcceptInvitation, type Invitee } from '@voisol/contract/invitations'
import { type ReactNode, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { call } from '../../lib/call.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { homeOf } from '../../lib/redirect.ts'
import { adopt } from '../../lib/session.ts'
import { Field } from '../../ui/field.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Input } from '../../ui/input.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { FormFrame } from './form-frame.tsx'
import { ADMIN_LENGTH, adminHint, clientHint, LENGTH } from './password-rule.ts'
import { codeOf, factorsOf, showRefusal } from './refusal.ts'
import { type Factors, type Proof, SecondFactor } from './second-factor.tsx'

type Person = z.infer<typeof Invitee>
type Answer = z.output<typeof AcceptInvitation>

const Names = AcceptInvitation.omit({ code: true, passkey: true })
/** An existing account proves itself; a new one chooses, under the rule of its role. */
const schemaFor = ({ hasAccount, role }: Person) =>
  hasAccount
    ? Names
    : Names.extend({
        password: z
          .string()
          .min(role === 'admin' ? ADMIN_LENGTH : LENGTH)
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

function useAccept(token: string) {
  const navigate = useNavigate()
  return async (body: Answer) => {
    const user = adopt(await call(auth.acceptInvitation, { params: { token }, body }))
    await navigate(homeOf(user), { replace: true })
  }
}

export function InvitationForm({ token, invitee, heading }: { token: string; invitee: Person; heading: ReactNode }) {
  const accept = useAccept(token)
  const [known, setKnown] = useState<{ answer: Answer; factors: Factors }>()
  const { firstName, lastName, hasAccount, role } = invitee
  const form = useSchemaForm(schemaFor(invitee), {
    defaults: { firstName, lastName, password: '' },
    save: async (answer): Promise<void> => {
      try {
        await accept(answer)
      } catch (error) {
        if (codeOf(error) === 'second-factor-required') setKnown({ answer, factors: factorsOf(error) })
        else showRefusal(form, error)
      }
    },
  })
  if (known) {
    const submit = (proof: Proof) => accept({ ...known.answer, ...proof })
    return <SecondFactor factors={known.factors} submit={submit} onBack={() => setKnown(undefined)} />
  }
  const hint = hasAccount ? undefined : role === 'admin' ? adminHint : clientHint
  return (
    <>
      {heading}
      <FormFrame form={form} action="Accepter l’invitation">
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
      </FormFrame>
    </>
  )
}
