import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { Confirm } from '../../ui/confirm.tsx'

type LocationRef = { pathname: string; search: string }
const getContentId = ({ search }: LocationRef) => new URLSearchParams(search).get('contenu') ?? ''
const getNewKind = ({ search }: LocationRef) => new URLSearchParams(search).get('nouveau') ?? ''
const getOpenContentKey = (place: LocationRef) => [place.pathname, getContentId(place), getNewKind(place)].join(' ')

/** Asks before anything written and not saved is left, inside the product as in the browser. */
export function UnsavedChangesGuard({ dirty, ownId }: { dirty: boolean; ownId: () => string | undefined }) {
  const leaving = useRef(false)
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      dirty &&
      // What was just created gets its address; a session that ended leads to sign-in, and nothing could be saved.
      getContentId(to) !== ownId() &&
      to.pathname !== '/login' &&
      getOpenContentKey(from) !== getOpenContentKey(to),
  )
  useEffect(() => {
    if (!dirty) return
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', preventUnload)
    return () => window.removeEventListener('beforeunload', preventUnload)
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
