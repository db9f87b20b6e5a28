import { auth, Credentials, Registration } from '@voisol/contract/auth'
import { passkeys } from '@voisol/contract/passkeys'
import type { Assertion } from '@voisol/contract/reauthentication'
import { Suspense, useState } from 'react'
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router'
import { z } from 'zod'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Field } from '../../../components/field.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { FullScreenSpinner } from '../../../components/loading.tsx'
import { PasswordInput } from '../../../components/password-input.tsx'
import { getRedirectTarget } from '../../../lib/admission.ts'
import { call } from '../../../lib/call.ts'
import { explainError } from '../../../lib/error-text.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { canUsePasskeys } from '../../../lib/passkey.ts'
import { login, refreshUser, register, startSession, useSession } from '../../../lib/session.ts'
import { type LogoutReason, readLogoutState } from '../../../lib/session-records.ts'
import { useBrand } from '../../../lib/stores.ts'
import { AuthForm, AuthHeading, AuthNotice, getAcceptedFactors, getProblemCode, showFormErrors } from './auth-form.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { type AuthMode, buildAuthLink, parseAuthMode } from './auth-mode.ts'
import { Invitation } from './invitation.tsx'
import { adminPasswordHint, anyPasswordHint, MIN_ADMIN_PASSWORD_LENGTH } from './new-password.tsx'
import { type FactorNames, PasskeyButton, type SecondFactorProof, SecondFactorStep } from './second-factor.tsx'

/** Those who need it load it: most come in with a password. */
const EnterpriseSignIn = lazy(() => import('./enterprise.tsx'))
const EnterpriseReturn = lazy(() => import('./enterprise-return.tsx'))

function ModeForm({ mode }: { mode: AuthMode }) {
  switch (mode.name) {
    case 'register':
      return <Register />
    case 'forgotten':
      return <ForgottenPassword />
    case 'enterprise':
      return <EnterpriseSignIn />
    case 'enterprise-return':
      return <EnterpriseReturn ticket={mode.token} />
    case 'reset':
      return <PasswordReset token={mode.token} />
    case 'verify':
      return <EmailVerification token={mode.token} />
    case 'invitation':
      return <Invitation token={mode.token} />
    default:
      return <SignIn />
  }
}

export default function LoginScreen() {
  const [search] = useSearchParams()
  const { status, user } = useSession()
  const mode = parseAuthMode(search)
  if (status === 'loading') return <FullScreenSpinner />
  // As the guard decides before it is shown: this is for whoever signs in here.
  const address = getRedirectTarget({ role: 'public', signIn: true }, user, new URL(`?${search}`, location.href))
  if (address !== null) return <Navigate replace to={address} />
  return (
    <AuthLayout>
      <Suspense fallback={null}>
        <ModeForm key={mode.name} mode={mode} />
      </Suspense>
    </AuthLayout>
  )
}

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

function ForgottenPassword() {
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

/** Whoever registers administers the new company: the longer password is asked at once. */
const Schema = Registration.omit({ phone: true }).extend({
  password: z.string().min(MIN_ADMIN_PASSWORD_LENGTH).max(1024),
})

function RegisterForm() {
  const form = useSchemaForm(Schema, {
    defaults: { firstName: '', lastName: '', companyName: '', email: '', password: '' },
    save: async (fields): Promise<void> => {
      await register(fields).catch((error) => showFormErrors(form, error))
    },
  })
  return (
    <AuthForm form={form} action="Commencer mes 30&nbsp;jours d’essai">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field form={form} name="firstName" label="Prénom" autoComplete="given-name" />
        <Field form={form} name="lastName" label="Nom" autoComplete="family-name" />
      </div>
      <Field
        form={form}
        name="companyName"
        label="Nom de votre organisation"
        autoComplete="organization"
        placeholder="Copropriété, collectivité, entreprise…"
      />
      <Field form={form} name="email" label="Adresse e-mail" type="email" autoComplete="email" inputMode="email" />
      <Field form={form} name="password" label="Mot de passe" hint={adminPasswordHint}>
        {(control) => <PasswordInput {...control} autoComplete="new-password" />}
      </Field>
    </AuthForm>
  )
}

function Register() {
  const [search] = useSearchParams()
  return (
    <>
      <AuthHeading title="Essai gratuit de 30&nbsp;jours">
        Toutes les fonctions, sans frais d’installation. Votre organisation est créée tout de suite et vous en êtes
        l’administrateur.
      </AuthHeading>
      <RegisterForm />
      <p className="text-ink-soft">
        Déjà un compte{'\u00a0'}?{' '}
        <Link to={buildAuthLink(search)} className="text-link">
          Se connecter
        </Link>
      </p>
    </>
  )
}

const DEAD_LINK_CODES = ['link-expired', 'already-used', 'not-found']
const ResetSchema = auth.resetPassword.body.pick({ password: true })

function ResetPasswordForm({ token, onDead }: { token: string; onDead: (words: string) => void }) {
  const navigate = useNavigate()
  const form = useSchemaForm(ResetSchema, {
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

function PasswordReset({ token }: { token: string }) {
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

function SignIn() {
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

/** Older than this, the end of the last session is no news. */
const RECENT_LOGOUT_MS = 5 * 60_000

const LOGOUT_MESSAGES: Partial<Record<LogoutReason, string>> = {
  inactivity: 'Votre session a pris fin après 24\u00a0heures sans activité. Reconnectez-vous pour continuer.',
  'other-tab': 'Vous vous êtes déconnecté dans un autre onglet.',
  refused: 'Votre session a pris fin. Reconnectez-vous pour continuer.',
}

function getLastLogoutMessage(now: number) {
  const state = readLogoutState()
  if (!state?.isLoggedOut || !state.reason || now - (state.logoutTime ?? 0) > RECENT_LOGOUT_MS) return undefined
  return LOGOUT_MESSAGES[state.reason]
}

/** Why a person is back here. */
function SignInMessage() {
  const [search] = useSearchParams()
  const passwordChanged = useLocation().state === 'password-changed'
  const [message] = useState(() => getLastLogoutMessage(Date.now()))
  if (passwordChanged)
    return <AuthNotice tone="success">Votre nouveau mot de passe est enregistré. Connectez-vous avec lui.</AuthNotice>
  if (search.get('logout') === 'true')
    return <AuthNotice tone="success">Vous êtes déconnecté. À bientôt{'\u00a0'}!</AuthNotice>
  return message ? <AuthNotice tone="info">{message}</AuthNotice> : null
}

const EMAIL_VERIFICATION_DEAD_LINK_CODES = ['link-expired', 'already-used', 'invalid']
const CONFIRM_LABEL = 'Confirmer mon adresse e-mail'
const EmailVerificationSchema = auth.verifyEmail.body.required().pick({ password: true })

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
  const form = useSchemaForm(EmailVerificationSchema, {
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

function EmailVerification({ token }: { token: string }) {
  const { user } = useSession()
  const [byPassword, setByPassword] = useState(user === null)
  const [done, setDone] = useState(false)
  const [refusal, setRefusal] = useState('')
  const [dead, setDead] = useState(false)
  const showError = (error: unknown) => {
    setByPassword(getAcceptedFactors(error).includes('password'))
    setRefusal(explainError(error))
    setDead(
      EMAIL_VERIFICATION_DEAD_LINK_CODES.includes(getProblemCode(error)) &&
        !getAcceptedFactors(error).includes('password'),
    )
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
