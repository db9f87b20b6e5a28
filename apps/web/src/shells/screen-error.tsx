import { isRouteErrorResponse, useRouteError } from 'react-router'
import { ErrorState } from '../ui/error-state.tsx'
import { ScreenNotFound } from './missing.tsx'

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
