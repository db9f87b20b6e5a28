import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { Confirm } from '../../ui/confirm.tsx'

type Place = { pathname: string; search: string }
const idIn = ({ search }: Place) => new URLSearchParams(search).get('contenu') ?? ''
const newIn = ({ search }: Place) => new URLSearchParams(search).get('nouveau') ?? ''
const opened = (place: Place) => [place.pathname, idIn(place), newIn(place)].join(' ')

/** Asks before anything written and not saved is left, inside the product as in the browser. */
export function LeaveGuard({ dirty, ownId }: { dirty: boolean; ownId: () => string | undefined }) {
  const leaving = useRef(false)
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      dirty &&
      // What was just created gets its address; a session that ended leads to sign-in, and nothing could be saved.
      idIn(to) !== ownId() &&
      to.pathname !== '/login' &&
      opened(from) !== opened(to),
  )
  useEffect(() => {
    if (!dirty) return
    const hold = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', hold)
    return () => window.removeEventListener('beforeunload', hold)
  }, [dirty])
  return (
    <Confirm
      open={blocker.state === 'blocked'}
      onOpenChange={() => !leaving.current && blocker.reset?.()}
      title="Quitter sans enregistrer&nbsp;?"
      description="Ce que vous avez écrit depuis le dernier enregistrement sera perdu."
      action="Quitter sans enregistrer"
      onConfirm={() => {
        leaving.current = true
        blocker.proceed?.()
      }}
    />
  )
}
