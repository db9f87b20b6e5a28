import { auth } from '@voisol/contract/auth'
import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { explain } from '../../lib/explain.ts'
import { refreshUser, useSession } from '../../lib/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Heading } from './heading.tsx'
import { Notice } from './notice.tsx'
import { codeOf } from './refusal.ts'

const DEAD = ['link-expired', 'already-used', 'invalid']

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

/** A press, not the opening: programs that look at links in mails open them too. */
export function Verification({ token }: { token: string }) {
  const [state, setState] = useState<'asked' | 'busy' | 'done'>('asked')
  const [refusal, setRefusal] = useState('')
  const [dead, setDead] = useState(false)
  const confirm = async () => {
    setState('busy')
    try {
      await call(auth.verifyEmail, { body: { token } })
      await refreshUser().catch(() => undefined)
      setState('done')
    } catch (error) {
      setRefusal(explain(error))
      setDead(DEAD.includes(codeOf(error)))
      setState('asked')
    }
  }
  return (
    <>
      <Heading title="Confirmer votre adresse">
        Elle montre à ceux que vous inviterez que le message vient bien de vous.
      </Heading>
      {refusal && (
        <Notice tone="danger" focused>
          {refusal}
        </Notice>
      )}
      {state === 'done' && <Confirmed />}
      {state !== 'done' && dead && <AskAnother />}
      {state !== 'done' && !dead && (
        <Button onClick={confirm} loading={state === 'busy'} className="justify-self-start">
          Confirmer mon adresse e-mail
        </Button>
      )}
    </>
  )
}
