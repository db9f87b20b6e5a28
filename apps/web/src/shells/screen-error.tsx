import { isRouteErrorResponse, useRouteError } from 'react-router'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'

/** In place of a screen that is not there or that failed; the shell around it stays. */
export function ScreenError() {
  const error = useRouteError()
  const missing = isRouteErrorResponse(error) && error.status === 404
  return (
    <>
      <h1 className="sr-only">{missing ? 'Page introuvable' : 'Erreur'}</h1>
      {missing ? (
        <EmptyState
          title="Cette page n’existe pas"
          why="L’adresse ne mène à rien, ou à une organisation à laquelle vous n’avez pas accès."
          action={<ButtonLink to="/dashboard">Revenir au tableau de bord</ButtonLink>}
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
