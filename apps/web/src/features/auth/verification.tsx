import { auth } from '@voisol/contract/auth'
import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { explain } from '../../lib/explain.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { refreshUser, useSession } from '../../lib/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { FormFrame } from './form-frame.tsx'
import { Heading } from './heading.tsx'
import { Notice } from './notice.tsx'
import { codeOf, factorsOf, showRefusal } from './refusal.ts'

const DEAD = ['link-expired', 'already-used', 'invalid']
const ACTION = 'Confirmer mon adresse e-mail'
const Schema = auth.verifyEmail.body.required().pick({ password: true })

const Confirmed = () => {
  const { user } = useSession()
  return (
    <>
      <Notice tone="success" focused>
        Merci, votre adresse est confirmée. Vous pouvez inviter d’autres personnes.
      </Notice>
      <ButtonLink to={user ? '/dashboard' : '/login'} className="justify-self-start">
        {user ? 'Revenir au tableau de bord' : 'Se connecter'}
      </ButtonLink>
    </>
  )
}

/** Its owner asks from the inside, where a banner offers it. */
const AskAnother = () => {
  const { user } = useSession()
  return (
    <ButtonLink to={user ? '/dashboard' : '/login'} className="justify-self-start">
      {user ? 'En demander un autre' : 'Se connecter pour en demander un autre'}
    </ButtonLink>
  )
}

type Attempt = (password?: string) => Promise<void>

/** Where no session of the account is open: only who registered knows the password, and anybody may register an address. */
function WithPassword({ confirm }: { confirm: Attempt }) {
  const form = useSchemaForm(Schema, {
    defaults: { password: '' },
    save: ({ password }): Promise<void> => confirm(password).catch((error) => showRefusal(form, error)),
  })
  return (
    <>
      <FormFrame form={form} action={ACTION}>
        <Field form={form} name="password" label="Mot de passe choisi à l’inscription">
          {(control) => <PasswordInput {...control} autoComplete="current-password" />}
        </Field>
      </FormFrame>
      <ButtonLink to="/login?mode=forgotten" variant="quiet" className="-ml-4 justify-self-start">
        Je n’ai pas choisi ce mot de passe, ou je l’ai oublié
      </ButtonLink>
    </>
  )
}

/** A press, not the opening: programs that look at links in mails open them too. */
function WithSession({ confirm, onRefused }: { confirm: Attempt; onRefused: (error: unknown) => void }) {
  const [busy, setBusy] = useState(false)
  const press = async () => {
    setBusy(true)
    await confirm().catch(onRefused)
    setBusy(false)
  }
  return (
    <Button onClick={press} loading={busy} className="justify-self-start">
      {ACTION}
    </Button>
  )
}

export function Verification({ token }: { token: string }) {
  const { user } = useSession()
  const [byPassword, setByPassword] = useState(user === null)
  const [done, setDone] = useState(false)
  const [refusal, setRefusal] = useState('')
  const [dead, setDead] = useState(false)
  const refuse = (error: unknown) => {
    setByPassword(factorsOf(error).includes('password'))
    setRefusal(explain(error))
    setDead(DEAD.includes(codeOf(error)) && !factorsOf(error).includes('password'))
  }
  const confirm: Attempt = async (password) => {
    try {
      await call(auth.verifyEmail, { body: password === undefined ? { token } : { token, password } })
      await refreshUser().catch(() => undefined)
      setDone(true)
    } catch (error) {
      if (password === undefined || !factorsOf(error).includes('password')) return refuse(error)
      throw error
    }
  }
  return (
    <>
      <Heading title="Confirmer votre adresse">
        Elle montre à ceux que vous inviterez que le message vient bien de vous.
      </Heading>
      {refusal && !done && (
        <Notice tone="danger" focused>
          {refusal}
        </Notice>
      )}
      {done && <Confirmed />}
      {!done && dead && <AskAnother />}
      {!done &&
        !dead &&
        (byPassword ? <WithPassword confirm={confirm} /> : <WithSession confirm={confirm} onRefused={refuse} />)}
    </>
  )
}
