import { useQuery } from '@tanstack/react-query'
import { points } from '@voisol/contract/points'
import { monthOf } from '@voisol/energy/calendar'
import { useSearchParams } from 'react-router'
import { ButtonLink } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { getTodayInParis } from '../../../components/period/period.ts'
import { formatMonthYear } from '../../../components/period/period-labels.ts'
import { query } from '../../../lib/queries.ts'
import { ExplanationLoader, type ExplanationRequest, ExplanationView, PrintButton } from './explanation.tsx'

/** Whom it is about: named by the address, or the client's first point that takes part. */
function useExplanationRequest() {
  const [search] = useSearchParams()
  const { data, error, refetch } = useQuery(query(points.list, { query: { size: 1000 } }))
  const own = data?.items.find(({ operationId, participantId }) => operationId && participantId)
  const operationId = search.get('operation') ?? own?.operationId
  const participantId = search.get('membre') ?? own?.participantId
  const received = own?.receivedUntil?.slice(0, 10) ?? getTodayInParis()
  const month = search.get('mois') ?? monthOf(received)
  const request: ExplanationRequest | undefined =
    operationId && participantId ? { operationId, participantId, month } : undefined
  return { asked: request, known: data !== undefined, error, refetch }
}

/** A client's own figure, explained in plain words. */
export default function OwnExplanation() {
  const { asked: request, known, error, refetch } = useExplanationRequest()
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="text-3xl font-semibold">Pourquoi ce chiffre&#160;?</h1>
          <p className="mt-2 text-lg text-ink-soft">
            {request ? `Votre part locale en ${formatMonthYear(request.month)}.` : ''}
          </p>
        </div>
        {request && (
          <div data-print="hide">
            <PrintButton />
          </div>
        )}
      </header>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!known && !error && <Skeleton className="h-96 w-full" />}
      {known && !request && (
        <EmptyState
          title="Aucun compteur pour l’instant"
          why="Dès que votre compteur prendra part à une opération, ses chiffres seront expliqués ici."
          action={
            <ButtonLink variant="secondary" to="/client-portal">
              Retour à l’accueil
            </ButtonLink>
          }
        />
      )}
      {request && (
        <ExplanationLoader asked={request}>{(why) => <ExplanationView why={why} voice="mine" />}</ExplanationLoader>
      )}
    </div>
  )
}
