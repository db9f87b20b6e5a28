import { auth } from '@voisol/contract/auth'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { call } from '../../lib/call.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { AuthForm } from './form-frame.tsx'
import { AuthHeading } from './heading.tsx'
import { buildAuthLink } from './mode.ts'
import { AuthNotice } from './notice.tsx'
import { showFormErrors } from './refusal.ts'

function ForgottenPasswordForm({ onSent }: { onSent: (email: string) => void }) {
  const form = useSchemaForm(auth.forgotPassword.body, {
    defaults: { email: '' },
    save: async (body): Promise<void> => {
      await call(auth.forgotPassword, { body }).then(
        () => onSent(body.email),
        (error) => showFormErrors(form, error),
      )
    },
  })
  return (
    <AuthForm form={form} action="Recevoir le lien">
      <Field form={form} name="email" label="Adresse e-mail" type="email" autoComplete="username" inputMode="email" />
    </AuthForm>
  )
}

/** The answer is the same whether the address is known or not. */
const ResetLinkSent = ({ email, onAgain }: { email: string; onAgain: () => void }) => (
  <>
    <AuthNotice tone="success" focused>
      Si un compte existe pour <strong className="font-medium break-all">{email}</strong>, un message vient de lui être
      envoyé. Le lien qu’il contient est valable une heure.
    </AuthNotice>
    <p className="text-ink-soft">
      Rien reçu après quelques minutes{'\u00a0'}? Regardez dans les courriers indésirables.
    </p>
    <Button variant="secondary" onClick={onAgain} className="justify-self-start">
      Essayer une autre adresse
    </Button>
  </>
)

export function ForgottenPassword() {
  const [search] = useSearchParams()
  const [sentTo, setSentTo] = useState('')
  return (
    <>
      <AuthHeading title="Mot de passe oublié">Nous vous envoyons un lien pour en choisir un nouveau.</AuthHeading>
      {sentTo ? (
        <ResetLinkSent email={sentTo} onAgain={() => setSentTo('')} />
      ) : (
        <ForgottenPasswordForm onSent={setSentTo} />
      )}
      <p>
        <Link to={buildAuthLink(search)} className="text-link">
          Revenir à la connexion
        </Link>
      </p>
    </>
  )
}
