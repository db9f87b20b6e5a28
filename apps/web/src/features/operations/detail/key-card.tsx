import { useQuery } from '@tanstack/react-query'
import { keys } from '@voisol/contract/keys'
import type { Operation } from '@voisol/contract/operations'
import { withAccess } from '../../../lib/can.tsx'
import { ALLOCATION_METHOD_LABELS } from '../../../lib/energy-labels.ts'
import { formatDate } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'

const toNoon = (day: string) => `${day}T12:00:00Z`

/** The rule energy is shared by today, in one sentence. */
export const KeyCard = withAccess(keys.list, ({ operation }: { operation: Operation }) => {
  const { data, error, refetch } = useQuery(query(keys.list, { params: { id: operation.id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-40 w-full" />
  const current = data.items.find(({ inForce }) => inForce)
  return (
    <Card title="Clé de répartition">
      {current ? (
        <div className="grid gap-1 text-body">
          <p className="font-medium">{ALLOCATION_METHOD_LABELS[current.method].label}</p>
          <p className="text-ink-soft">{ALLOCATION_METHOD_LABELS[current.method].meaning}</p>
          <p className="mt-1 text-[0.8125rem] text-ink-soft">
            Version {current.number}, en vigueur depuis le {formatDate(toNoon(current.startsOn))}
            {current.endsOn && `, jusqu’au ${formatDate(toNoon(current.endsOn))} exclu`}.
          </p>
        </div>
      ) : (
        <p className="text-body text-ink-soft">Aucune clé n’est en vigueur aujourd’hui.</p>
      )}
      <ButtonLink
        variant="secondary"
        size="small"
        className="mt-4"
        to={`/acc-operations/${operation.id}/energy-distribution`}
      >
        Ouvrir la répartition
      </ButtonLink>
    </Card>
  )
})
