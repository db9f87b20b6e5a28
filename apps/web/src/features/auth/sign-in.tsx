import type { Assertion } from '@voisol/contract/assertion'
import { Credentials } from '@voisol/contract/auth'
import { passkeys } from '@voisol/contract/passkeys'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { z } from 'zod'
import { useBrand } from '../../lib/brand.ts'
import { call } from '../../lib/call.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { canUsePasskeys } from '../../lib/passkey.ts'
import { adopt, login } from '../../lib/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { Arrival } from './arrival.tsx'
import { FormFrame } from './form-frame.tsx'
import { Heading } from './heading.tsx'
import { modeLink } from './mode.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { codeOf, factorsOf, showRefusal } from './refusal.ts'
import { type Factors, type Proof, SecondFactor } from './second-factor.tsx'

type Known = { email: string; password: string; factors: Factors }

function PasswordStep({ onSecondFactor }: { onSecondFactor: (known: Known) => void }) {
  const [search] = useSearchParams()
  const form = useSchemaForm(Credentials, {
    defaults: { email: '', password: '' },
    save: async (known): Promise<void> => {
      try {
        await login(known)
      } catch (error) {
        if (codeOf(error) === 'second-factor-required') onSecondFactor({ ...known, factors: factorsOf(error) })
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

const signInWith = async (credential: z.input<typeof Assertion>) =>
  adopt(await call(passkeys.signIn, { body: { credential } }))

export function SignIn() {
  const [search] = useSearchParams()
  // At the host of a company nobody founds another, and no passkey opens: it knows the name where it was made.
  const brand = useBrand()
  const [known, setKnown] = useState<Known>()
  if (known) {
    const { factors, ...credentials } = known
    const submit = (proof: Proof) => login({ ...credentials, ...proof })
    return <SecondFactor factors={factors} submit={submit} onBack={() => setKnown(undefined)} />
  }
  return (
    <>
      <Heading title="Connexion">Retrouvez vos opérations, vos données et vos factures.</Heading>
      <Arrival />
      <PasswordStep onSecondFactor={setKnown} />
      {!brand && canUsePasskeys() && <PasskeyButton run={signInWith}>Se connecter avec une clé d’accès</PasskeyButton>}
      <ButtonLink variant="secondary" size="large" className="w-full" to={modeLink(search, 'enterprise')}>
        Connexion d’entreprise
      </ButtonLink>
      {!brand && (
        <p className="text-ink-soft">
          Pas encore de compte{'\u00a0'}?{' '}
          <Link to={modeLink(search, 'register')} className="text-link">
            Essayer 30{'\u00a0'}jours gratuitement
          </Link>
        </p>
      )}
    </>
  )
}
