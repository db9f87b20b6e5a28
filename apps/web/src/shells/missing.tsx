import { useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { sessionStore } from '../lib/session-store.ts'
import { getButtonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

/** In place of a screen that is not there; the way back is open even without its right: it then says what one may open. */
export function ScreenNotFound() {
  const { user } = useSyncExternalStore(sessionStore.subscribe, sessionStore.read, sessionStore.read)
  const inPortal = user?.space === 'portal'
  return (
    <>
      <h1 className="sr-only">Page introuvable</h1>
      <EmptyState
        title="Cette page n’existe pas"
        why={
          inPortal
            ? 'L’adresse ne mène à rien. Elle a pu changer, ou le lien était incomplet.'
            : 'L’adresse ne mène à rien, ou à une organisation à laquelle vous n’avez pas accès.'
        }
        action={
          <Link to={inPortal ? '/client-portal' : '/dashboard'} className={getButtonClass({})}>
            {inPortal ? 'Revenir à mon espace' : 'Revenir au tableau de bord'}
          </Link>
        }
      />
    </>
  )
}
