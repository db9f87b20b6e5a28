import { ApiError } from '../../lib/call.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'

const isNotFoundError = (error: Error) => error instanceof ApiError && (error.status === 404 || error.status === 422)

/** What is not the organisation's does not exist for it; anything else may pass. */
export const CurveUnavailable = ({ error, onRetry }: { error: Error; onRetry: () => unknown }) =>
  isNotFoundError(error) ? (
    <EmptyState
      title="Cette page n’existe pas"
      why="L’adresse ne mène à aucune opération ni à aucun point de votre organisation."
      action={<ButtonLink to="/acc-operations">Voir les opérations</ButtonLink>}
    />
  ) : (
    <ErrorState error={error} onRetry={onRetry} />
  )
