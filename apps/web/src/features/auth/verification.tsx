import { auth } from '@voisol/contract/auth'
import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { explainError } from '../../lib/explain.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { refreshUser, useSession } from '../../lib/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { AuthForm } from './form-frame.tsx'
import { AuthHeading } from './heading.tsx'
import { AuthNotice } from './notice.tsx'
import { getAcceptedFactors, getProblemCode, showFormErrors } from './refusal.ts'

const DEAD_LINK_CODES = ['link-expired', 'already-used', 'invalid']
const CONFIRM_LABEL = 'Confirmer mon adresse e-mail'
const Schema = auth.verifyEmail.body.required().pick({ password: true })

const EmailConfirmed = () => {
  const { user } = useSession()
  return (
    <>
      <AuthNotice tone="success" focused>
        Merci, votre adresse est confirmée. Vous pouvez inviter d’autres personnes.
      </AuthNotice>
      <ButtonLink to={user ? '/dashboard' : '/login'} className="justify-self-start">
        {user ? 'Revenir au tableau de bord' : 'Se connecter'}
      </ButtonLink>
    </>
  )
}

/** Its owner asks from the inside, where a banner offers it. */
const RequestNewLink = () => {
  const { user } = useSession()
  return (
    <ButtonLink to={user ? '/dashboard' : '/login'} className="justify-self-start">
      {user ? 'En demander un autre' : 'Se connecter pour en demander un autre'}
    </ButtonLink>
  )
}

type ConfirmEmail = (password?: string) => Promise<void>

/** Where no session of the account is open: only who registered knows the password, and anybody may register an address. */
function ConfirmWithPassword({ confirm }: { confirm: ConfirmEmail }) {
  const form = useSchemaForm(Schema, {
    defaults: { password: '' },
    save: ({ password }): Promise<void> => confirm(password).catch((error) => showFormErrors(form, error)),
  })
  return (
    <>
      <AuthForm form={form} action={CONFIRM_LABEL}>
        <Field form={form} name="password" label="Mot de passe choisi à l’inscription">
          {(control) => <PasswordInput {...control} autoComplete="current-password" />}
        </Field>
      </AuthForm>
      <ButtonLink to="/login?mode=forgotten" variant="quiet" className="-ml-4 justify-self-start">
        Je n’ai pas choisi ce mot de passe, ou je l’ai oublié
      </ButtonLink>
    </>
  )
}

/** A press, not the opening: programs that look at links in mails open them too. */
function ConfirmWithSession({ confirm, onRefused }: { confirm: ConfirmEmail; onRefused: (error: unknown) => void }) {
  const [busy, setBusy] = useState(false)
  const press = async () => {
    setBusy(true)
    await confirm().catch(onRefused)
    setBusy(false)
  }
  return (
    <Button onClick={press} loading={busy} className="justify-self-start">
      {CONFIRM_LABEL}
    </Button>
  )
}

export function EmailVerification({ token }: { token: string }) {
  const { user } = useSession()
  const [byPassword, setByPassword] = useState(user === null)
  const [done, setDone] = useState(false)
  const [refusal, setRefusal] = useState('')
  const [dead, setDead] = useState(false)
  const showError = (error: unknown) => {
    setByPassword(getAcceptedFactors(error).includes('password'))
    setRefusal(explainError(error))
    setDead(DEAD_LINK_CODES.includes(getProblemCode(error)) && !getAcceptedFactors(error).includes('password'))
  }
  const confirm: ConfirmEmail = async (password) => {
    try {
      await call(auth.verifyEmail, { body: password === undefined ? { token } : { token, password } })
      await refreshUser().catch(() => undefined)
      setDone(true)
    } catch (error) {
      if (password === undefined || !getAcceptedFactors(error).includes('password')) return showError(error)
      throw error
    }
  }
  return (
    <>
      <AuthHeading title="Confirmer votre adresse">
        Elle montre à ceux que vous inviterez que le message vient bien de vous.
      </AuthHeading>
      {refusal && !done && (
        <AuthNotice tone="danger" focused>
          {refusal}
        </AuthNotice>
      )}
      {done && <EmailConfirmed />}
      {!done && dead && <RequestNewLink />}
      {!done &&
        !dead &&
        (byPassword ? (
          <ConfirmWithPassword confirm={confirm} />
        ) : (
          <ConfirmWithSession confirm={confirm} onRefused={showError} />
        ))}
    </>
  )
}
