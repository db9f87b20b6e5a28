import { Suspense } from 'react'
import { Button } from '../../../components/button.tsx'
import { lazy } from '../../../components/lazy.tsx'

/** The text is specified; what to do about it is said beneath. */
const LoginUnavailable = () => (
  <main className="grid min-h-dvh place-items-center p-6 text-center">
    <div className="grid justify-items-center gap-4">
      <h1 className="text-xl font-semibold">Loading...</h1>
      <p className="text-ink-soft">La page de connexion n’a pas pu être chargée. Vérifiez votre réseau.</p>
      <Button onClick={() => location.reload()}>Recharger la page</Button>
    </div>
  </main>
)

const LoginLoading = () => (
  <main className="grid min-h-dvh place-items-center p-6">
    <p role="status" className="text-ink-soft">
      Loading...
    </p>
  </main>
)

const Screen = lazy(() => import('./login-screen.tsx').catch(() => ({ default: LoginUnavailable })))

export default function Login() {
  return (
    <Suspense fallback={<LoginLoading />}>
      <Screen />
    </Suspense>
  )
}
