import { Credentials } from '@voisol/contract/auth'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useSchemaForm } from '../../lib/form.ts'
import { login } from '../../lib/session.ts'
import { Field } from '../../ui/field.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { Arrival } from './arrival.tsx'
import { FormFrame } from './form-frame.tsx'
import { Heading } from './heading.tsx'
import { modeLink } from './mode.ts'
import { codeOf, showRefusal } from './refusal.ts'
import { SecondFactor } from './second-factor.tsx'

type Known = { email: string; password: string }

function PasswordStep({ onSecondFactor }: { onSecondFactor: (known: Known) => void }) {
  const [search] = useSearchParams()
  const form = useSchemaForm(Credentials, {
    defaults: { email: '', password: '' },
    save: async (known): Promise<void> => {
      try {
        await login(known)
      } catch (error) {
        if (codeOf(error) === 'second-factor-required') onSecondFactor(known)
        else showRefusal(form, error)
      }
    },
  })
  return (
    <FormFrame form={form} action="Se connecter">
      <Field form={form} name="email" label="Adresse e-mail" type="email" autoComplete="username" inputMode="email" />
      <div className="grid gap-2">
        <Field form={form} name="password" label="Mot de passe">
          {(control) => <PasswordInput {...control} />}
        </Field>
        <Link to={modeLink(search, 'forgotten')} className="min-h-6 justify-self-start text-[0.9375rem] text-link">
          Mot de passe oublié
        </Link>
      </div>
    </FormFrame>
  )
}

export function SignIn() {
  const [search] = useSearchParams()
  const [known, setKnown] = useState<Known>()
  if (known) return <SecondFactor submit={(code) => login({ ...known, code })} onBack={() => setKnown(undefined)} />
  return (
    <>
      <Heading title="Connexion">Retrouvez vos opérations, vos données et vos factures.</Heading>
      <Arrival />
      <PasswordStep onSecondFactor={setKnown} />
      <p className="text-ink-soft">
        Pas encore de compte{'\u00a0'}?{' '}
        <Link to={modeLink(search, 'register')} className="text-link">
          Essayer 30{'\u00a0'}jours gratuitement
        </Link>
      </p>
    </>
  )
}
