import { Suspense } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { getRedirectTarget } from '../../lib/admission.ts'
import { useSession } from '../../lib/session.ts'
import { lazy } from '../../ui/lazy.tsx'
import { FullScreenSpinner } from '../../ui/spinner.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { ForgottenPassword } from './forgotten.tsx'
import { Invitation } from './invitation.tsx'
import { type AuthMode, parseAuthMode } from './mode.ts'
import { Register } from './register.tsx'
import { PasswordReset } from './reset.tsx'
import { SignIn } from './sign-in.tsx'
import { EmailVerification } from './verification.tsx'

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
