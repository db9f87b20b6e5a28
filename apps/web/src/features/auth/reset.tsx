import { auth } from '@voisol/contract/auth'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../lib/call.ts'
import { explainError } from '../../lib/explain.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { AuthForm } from './form-frame.tsx'
import { AuthHeading } from './heading.tsx'
import { AuthNotice } from './notice.tsx'
import { anyPasswordHint } from './password-rule.ts'
import { getProblemCode, showFormErrors } from './refusal.ts'

const DEAD_LINK_CODES = ['link-expired', 'already-used', 'not-found']
const Schema = auth.resetPassword.body.pick({ password: true })

function ResetPasswordForm({ token, onDead }: { token: string; onDead: (words: string) => void }) {
  const navigate = useNavigate()
  const form = useSchemaForm(Schema, {
    defaults: { password: '' },
    save: async ({ password }): Promise<void> => {
      try {
        await call(auth.resetPassword, { body: { token, password } })
        await navigate('/login', { replace: true, state: 'password-changed' })
      } catch (error) {
        if (DEAD_LINK_CODES.includes(getProblemCode(error))) onDead(explainError(error))
        else showFormErrors(form, error)
      }
    },
  })
  return (
    <AuthForm form={form} action="Enregistrer le mot de passe">
      <Field form={form} name="password" label="Nouveau mot de passe" hint={anyPasswordHint}>
        {(control) => <PasswordInput {...control} advice />}
      </Field>
    </AuthForm>
  )
}

export function PasswordReset({ token }: { token: string }) {
  // A link cut by a mail reader is as dead as an old one.
  const [dead, setDead] = useState(
    auth.resetPassword.body.shape.token.safeParse(token).success
      ? ''
      : 'Ce lien est incomplet. Ouvrez-le à nouveau depuis le message reçu.',
  )
  return (
    <>
      <AuthHeading title="Nouveau mot de passe">Une fois enregistré, vos autres sessions sont fermées.</AuthHeading>
      {dead ? (
        <>
          <AuthNotice tone="danger" focused>
            {dead}
          </AuthNotice>
          <ButtonLink to="/login?mode=forgotten" className="justify-self-start">
            Demander un nouveau lien
          </ButtonLink>
        </>
      ) : (
        <ResetPasswordForm token={token} onDead={setDead} />
      )}
    </>
  )
}
