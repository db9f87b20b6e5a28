import { auth } from '@voisol/contract/auth'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { call } from '../../lib/call.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FormFrame } from './form-frame.tsx'
import { Heading } from './heading.tsx'
import { modeLink } from './mode.ts'
import { Notice } from './notice.tsx'
import { showRefusal } from './refusal.ts'

function AskForm({ onSent }: { onSent: (email: string) => void }) {
  const form = useSchemaForm(auth.forgotPassword.body, {
    defaults: { email: '' },
    save: async (body): Promise<void> => {
      await call(auth.forgotPassword, { body }).then(
        () => onSent(body.email),
        (error) => showRefusal(form, error),
      )
    },
  })
  return (
    <FormFrame form={form} action="Recevoir le lien">
      <Field form={form} name="email" label="Adresse e-mail" type="email" autoComplete="username" inputMode="email" />
    </FormFrame>
  )
}

/** The answer is the same whether the address is known or not. */
const Sent = ({ email, onAgain }: { email: string; onAgain: () => void }) => (
  <>
    <Notice tone="success" focused>
      Si un compte existe pour <strong className="font-medium break-all">{email}</strong>, un message vient de lui être
      envoyé. Le lien qu’il contient est valable une heure.
    </Notice>
    <p className="text-ink-soft">
      Rien reçu après quelques minutes{'\u00a0'}? Regardez dans les courriers indésirables.
    </p>
    <Button variant="secondary" onClick={onAgain} className="justify-self-start">
      Essayer une autre adresse
    </Button>
  </>
)

export function Forgotten() {
  const [search] = useSearchParams()
  const [sentTo, setSentTo] = useState('')
  return (
    <>
      <Heading title="Mot de passe oublié">Nous vous envoyons un lien pour en choisir un nouveau.</Heading>
      {sentTo ? <Sent email={sentTo} onAgain={() => setSentTo('')} /> : <AskForm onSent={setSentTo} />}
      <p>
        <Link to={modeLink(search)} className="text-link">
          Revenir à la connexion
        </Link>
      </p>
    </>
  )
}
