import { sso } from '@voisol/contract/sso'
import { useEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { call } from '../../lib/call.ts'
import { explain } from '../../lib/explain.ts'
import { adopt } from '../../lib/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { Heading } from './heading.tsx'
import { modeLink } from './mode.ts'
import { Notice } from './notice.tsx'

const WANTED = 'voisol_sso_redirect'

/** The page asked for waits in this tab while its person is at the provider. */
export function keepWanted(redirect: string | null) {
  try {
    if (redirect) sessionStorage.setItem(WANTED, redirect)
    else sessionStorage.removeItem(WANTED)
  } catch {
    // Without storage they begin at their first page.
  }
}
function takeWanted(): string | null {
  try {
    const wanted = sessionStorage.getItem(WANTED)
    sessionStorage.removeItem(WANTED)
    return wanted
  } catch {
    return null
  }
}

const REFUSED =
  'La connexion d’entreprise a été refusée. Recommencez\u00a0; si le refus se répète, votre administrateur en lit la raison dans le journal.'

const Refused = ({ words }: { words: string }) => {
  const [search] = useSearchParams()
  return (
    <>
      <Heading title="Connexion d’entreprise" />
      <Notice tone="danger" focused>
        {words}
      </Notice>
      <ButtonLink to={modeLink(search, 'enterprise')} className="justify-self-start">
        Recommencer
      </ButtonLink>
      <p>
        <Link to={modeLink(search)} className="text-link">
          Entrer avec un mot de passe
        </Link>
      </p>
    </>
  )
}

/** Back from the provider: the ticket is changed for a session, once. */
export default function EnterpriseReturn({ ticket }: { ticket: string }) {
  const [search, setSearch] = useSearchParams()
  const [refusal, setRefusal] = useState(ticket === 'refus' ? REFUSED : '')
  const asked = useRef(false)
  useEffect(() => {
    if (asked.current || ticket === 'refus') return
    asked.current = true
    const wanted = takeWanted()
    const finish = async () => {
      const signedIn = await call(sso.finish, { body: { ticket } })
      if (wanted) setSearch({ ...Object.fromEntries(search), redirect: wanted }, { replace: true })
      adopt(signedIn)
    }
    finish().catch((error: unknown) => setRefusal(explain(error)))
  }, [ticket, search, setSearch])
  if (refusal) return <Refused words={refusal} />
  return (
    <>
      <Heading title="Connexion d’entreprise">Votre fournisseur d’identité a répondu.</Heading>
      <p role="status" className="flex items-center gap-3 text-ink-soft">
        <Spinner /> Ouverture de votre espace…
      </p>
    </>
  )
}
