import { useSyncExternalStore } from 'react'
import { isRouteErrorResponse, Link, useRouteError } from 'react-router'
import { getButtonClass } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { sessionStore } from '../../lib/stores.ts'

/** A loader's answer or the API's refusal, known by its status: the class would bring its schemas to every page. */
const isNotFoundError = (error: unknown) =>
  (isRouteErrorResponse(error) && error.status === 404) ||
  (error instanceof Error && 'status' in error && (error.status === 404 || error.status === 422))

/** In place of a screen that is not there or that failed; the shell around it stays. */
export function ScreenError() {
  const error = useRouteError()
  if (isNotFoundError(error)) return <ScreenNotFound />
  return (
    <>
      <h1 className="sr-only">Erreur</h1>
      <ErrorState
        title="Cet écran n’a pas pu s’afficher"
        advice="Rechargez la page. Si le problème persiste, écrivez au support."
        onRetry={() => location.reload()}
        error={error instanceof Error ? error : null}
      />
    </>
  )
}

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
