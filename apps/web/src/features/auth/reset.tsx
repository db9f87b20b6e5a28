import { auth } from '@voisol/contract/auth'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../lib/call.ts'
import { explain } from '../../lib/explain.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { FormFrame } from './form-frame.tsx'
import { Heading } from './heading.tsx'
import { Notice } from './notice.tsx'
import { eitherHint } from './password-rule.ts'
import { codeOf, showRefusal } from './refusal.ts'

const DEAD = ['link-expired', 'already-used', 'not-found']
const Schema = auth.resetPassword.body.pick({ password: true })

function ResetForm({ token, onDead }: { token: string; onDead: (words: string) => void }) {
  const navigate = useNavigate()
  const form = useSchemaForm(Schema, {
    defaults: { password: '' },
    save: async ({ password }): Promise<void> => {
      try {
        await call(auth.resetPassword, { body: { token, password } })
        await navigate('/login', { replace: true, state: 'password-changed' })
      } catch (error) {
        if (DEAD.includes(codeOf(error))) onDead(explain(error))
        else showRefusal(form, error)
      }
    },
  })
  return (
    <FormFrame form={form} action="Enregistrer le mot de passe">
      <Field form={form} name="password" label="Nouveau mot de passe" hint={eitherHint}>
        {(control) => <PasswordInput {...control} advice />}
      </Field>
    </FormFrame>
  )
}

export function Reset({ token }: { token: string }) {
  // A link cut by a mail reader is as dead as an old one.
  const [dead, setDead] = useState(
    auth.resetPassword.body.shape.token.safeParse(token).success
      ? ''
      : 'Ce lien est incomplet. Ouvrez-le à nouveau depuis le message reçu.',
  )
  return (
    <>
      <Heading title="Nouveau mot de passe">Une fois enregistré, vos autres sessions sont fermées.</Heading>
      {dead ? (
        <>
          <Notice tone="danger" focused>
            {dead}
          </Notice>
          <ButtonLink to="/login?mode=forgotten" className="justify-self-start">
            Demander un nouveau lien
          </ButtonLink>
        </>
      ) : (
        <ResetForm token={token} onDead={setDead} />
      )}
    </>
  )
}
