import { useQuery } from '@tanstack/react-query'
import { points } from '@voisol/contract/points'
import { monthOf } from '@voisol/energy/calendar'
import { useSearchParams } from 'react-router'
import { query } from '../../lib/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { monthLabel } from '../../ui/period/label.ts'
import { todayInParis } from '../../ui/period/period.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Asked, Loaded, PrintButton } from './loaded.tsx'
import { Story } from './story.tsx'

/** Whom it is about: named by the address, or the client's first point that takes part. */
function useAsked() {
  const [search] = useSearchParams()
  const { data, error, refetch } = useQuery(query(points.list, { query: { size: 1000 } }))
  const own = data?.items.find(({ operationId, participantId }) => operationId && participantId)
  const operationId = search.get('operation') ?? own?.operationId
  const participantId = search.get('membre') ?? own?.participantId
  const received = own?.receivedUntil?.slice(0, 10) ?? todayInParis()
  const month = search.get('mois') ?? monthOf(received)
  const asked: Asked | undefined = operationId && participantId ? { operationId, participantId, month } : undefined
  return { asked, known: data !== undefined, error, refetch }
}

/** A client's own figure, explained in plain words. */
export default function MyWhy() {
  const { asked, known, error, refetch } = useAsked()
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="text-3xl font-semibold">Pourquoi ce chiffre&#160;?</h1>
          <p className="mt-2 text-lg text-ink-soft">
            {asked ? `Votre part locale en ${monthLabel(asked.month)}.` : ''}
          </p>
        </div>
        {asked && (
          <div data-print="hide">
            <PrintButton />
          </div>
        )}
      </header>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!known && !error && <Skeleton className="h-96 w-full" />}
      {known && !asked && (
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
      {asked && <Loaded asked={asked}>{(why) => <Story why={why} voice="mine" />}</Loaded>}
    </div>
  )
}
