import { isRouteErrorResponse, Link, useRouteError } from 'react-router'
import { buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'

/** A loader's answer or the API's refusal, known by its status: the class would bring its schemas to every page. */
const isMissing = (error: unknown) =>
  (isRouteErrorResponse(error) && error.status === 404) ||
  (error instanceof Error && 'status' in error && (error.status === 404 || error.status === 422))

/** In place of a screen that is not there or that failed; the shell around it stays. */
export function ScreenError() {
  const error = useRouteError()
  const missing = isMissing(error)
  return (
    <>
      <h1 className="sr-only">{missing ? 'Page introuvable' : 'Erreur'}</h1>
      {missing ? (
        <EmptyState
          title="Cette page n’existe pas"
          why="L’adresse ne mène à rien, ou à une organisation à laquelle vous n’avez pas accès."
          // Even without its right: it then says what one may open.
          action={
            <Link to="/dashboard" className={buttonClass({})}>
              Revenir au tableau de bord
            </Link>
          }
        />
      ) : (
        <ErrorState
          title="Cet écran n’a pas pu s’afficher"
          advice="Rechargez la page. Si le problème persiste, écrivez au support."
          onRetry={() => location.reload()}
          error={error instanceof Error ? error : null}
        />
      )}
    </>
  )
}
