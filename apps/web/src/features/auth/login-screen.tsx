import { Navigate, useSearchParams } from 'react-router'
import { useSession } from '../../lib/session.ts'
import { FullScreenSpinner } from '../../ui/spinner.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { Forgotten } from './forgotten.tsx'
import { Invitation } from './invitation.tsx'
import { type Mode, modeOf } from './mode.ts'
import { homeOf, safeRedirect } from './redirect.ts'
import { Register } from './register.tsx'
import { Reset } from './reset.tsx'
import { SignIn } from './sign-in.tsx'

function Form({ mode }: { mode: Mode }) {
  switch (mode.name) {
    case 'register':
      return <Register />
    case 'forgotten':
      return <Forgotten />
    case 'reset':
      return <Reset token={mode.token} />
    case 'invitation':
      return <Invitation token={mode.token} />
    default:
      return <SignIn />
  }
}

export default function LoginScreen() {
  const [search] = useSearchParams()
  const { status, user } = useSession()
  const mode = modeOf(search)
  if (status === 'loading') return <FullScreenSpinner />
  // A link received by mail is followed whoever is signed in: it may be meant for another account.
  if (user && !('token' in mode))
    return <Navigate replace to={safeRedirect(search.get('redirect'), location.origin) ?? homeOf(user)} />
  return (
    <AuthLayout>
      <Form key={mode.name} mode={mode} />
    </AuthLayout>
  )
}
