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
import { login, startSession } from '../../lib/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { SignInMessage } from './arrival.tsx'
import { AuthForm } from './form-frame.tsx'
import { AuthHeading } from './heading.tsx'
import { buildAuthLink } from './mode.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { getAcceptedFactors, getProblemCode, showFormErrors } from './refusal.ts'
import { type FactorNames, type SecondFactorProof, SecondFactorStep } from './second-factor.tsx'

type EnteredCredentials = { email: string; password: string; factors: FactorNames }

function PasswordStep({ onSecondFactor }: { onSecondFactor: (known: EnteredCredentials) => void }) {
  const [search] = useSearchParams()
  const form = useSchemaForm(Credentials, {
    defaults: { email: '', password: '' },
    save: async (known): Promise<void> => {
      try {
        await login(known)
      } catch (error) {
        if (getProblemCode(error) === 'second-factor-required')
          onSecondFactor({ ...known, factors: getAcceptedFactors(error) })
        else showFormErrors(form, error)
      }
    },
  })
  return (
    <AuthForm form={form} action="Se connecter">
      <Field form={form} name="email" label="Adresse e-mail" type="email" autoComplete="username" inputMode="email" />
      <div className="grid gap-2">
        <Field form={form} name="password" label="Mot de passe">
          {(control) => <PasswordInput {...control} />}
        </Field>
        <Link to={buildAuthLink(search, 'forgotten')} className="min-h-6 justify-self-start text-[0.9375rem] text-link">
          Mot de passe oublié
        </Link>
      </div>
    </AuthForm>
  )
}

const signInWithPasskey = async (credential: z.input<typeof Assertion>) =>
  startSession(await call(passkeys.signIn, { body: { credential } }))

export function SignIn() {
  const [search] = useSearchParams()
  // At the host of a company nobody founds another, and no passkey opens: it knows the name where it was made.
  const brand = useBrand()
  const [entered, setKnown] = useState<EnteredCredentials>()
  if (entered) {
    const { factors, ...credentials } = entered
    const submit = (proof: SecondFactorProof) => login({ ...credentials, ...proof })
    return <SecondFactorStep factors={factors} submit={submit} onBack={() => setKnown(undefined)} />
  }
  return (
    <>
      <AuthHeading title="Connexion">Retrouvez vos opérations, vos données et vos factures.</AuthHeading>
      <SignInMessage />
      <PasswordStep onSecondFactor={setKnown} />
      {!brand && canUsePasskeys() && (
        <PasskeyButton run={signInWithPasskey}>Se connecter avec une clé d’accès</PasskeyButton>
      )}
      <ButtonLink variant="secondary" size="large" className="w-full" to={buildAuthLink(search, 'enterprise')}>
        Connexion d’entreprise
      </ButtonLink>
      {!brand && (
        <p className="text-ink-soft">
          Pas encore de compte{'\u00a0'}?{' '}
          <Link to={buildAuthLink(search, 'register')} className="text-link">
            Essayer 30{'\u00a0'}jours gratuitement
          </Link>
        </p>
      )}
    </>
  )
}
