import { sso } from '@voisol/contract/sso'
import { useEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { ButtonLink } from '../../../components/button.tsx'
import { Spinner } from '../../../components/loading.tsx'
import { call } from '../../../lib/call.ts'
import { explainError } from '../../../lib/error-text.ts'
import { startSession } from '../../../lib/session.ts'
import { AuthHeading, AuthNotice } from './auth-form.tsx'
import { buildAuthLink } from './auth-mode.ts'

const REDIRECT_STORAGE_KEY = 'voisol_sso_redirect'

/** The page asked for waits in this tab while its person is at the provider. */
export function storeRedirect(redirect: string | null) {
  try {
    if (redirect) sessionStorage.setItem(REDIRECT_STORAGE_KEY, redirect)
    else sessionStorage.removeItem(REDIRECT_STORAGE_KEY)
  } catch {
    // Without storage they begin at their first page.
  }
}
function takeStoredRedirect(): string | null {
  try {
    const stored = sessionStorage.getItem(REDIRECT_STORAGE_KEY)
    sessionStorage.removeItem(REDIRECT_STORAGE_KEY)
    return stored
  } catch {
    return null
  }
}

const REFUSED_MESSAGE =
  'La connexion d’entreprise a été refusée. Recommencez\u00a0; si le refus se répète, votre administrateur en lit la raison dans le journal.'

const EnterpriseSignInError = ({ words }: { words: string }) => {
  const [search] = useSearchParams()
  return (
    <>
      <AuthHeading title="Connexion d’entreprise" />
      <AuthNotice tone="danger" focused>
        {words}
      </AuthNotice>
      <ButtonLink to={buildAuthLink(search, 'enterprise')} className="justify-self-start">
        Recommencer
      </ButtonLink>
      <p>
        <Link to={buildAuthLink(search)} className="text-link">
          Entrer avec un mot de passe
        </Link>
      </p>
    </>
  )
}

/** Back from the provider: the ticket is changed for a session, once. */
export default function EnterpriseReturn({ ticket }: { ticket: string }) {
  const [search, setSearch] = useSearchParams()
  const [refusal, setRefusal] = useState(ticket === 'refus' ? REFUSED_MESSAGE : '')
  const hasStarted = useRef(false)
  useEffect(() => {
    if (hasStarted.current || ticket === 'refus') return
    hasStarted.current = true
    const storedRedirect = takeStoredRedirect()
    const finish = async () => {
      const signedIn = await call(sso.finish, { body: { ticket } })
      if (storedRedirect) setSearch({ ...Object.fromEntries(search), redirect: storedRedirect }, { replace: true })
      startSession(signedIn)
    }
    finish().catch((error: unknown) => setRefusal(explainError(error)))
  }, [ticket, search, setSearch])
  if (refusal) return <EnterpriseSignInError words={refusal} />
  return (
    <>
      <AuthHeading title="Connexion d’entreprise">Votre fournisseur d’identité a répondu.</AuthHeading>
      <p role="status" className="flex items-center gap-3 text-ink-soft">
        <Spinner /> Ouverture de votre espace…
      </p>
    </>
  )
}
