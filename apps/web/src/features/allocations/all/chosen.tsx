import { withDe } from '@voisol/contract/elision'
import { Suspense } from 'react'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { lazy } from '../../../ui/lazy.tsx'
import type { Period } from '../../../ui/period/period.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { OperationEnergyRow } from './model.ts'

const FlowCard = lazy(async () => ({ default: (await import('../flow-card.tsx')).FlowCard }))

/** The flows of one operation under the table of all. */
export function SelectedOperation({
  operation: { id, name, shared, surplus },
  period,
}: {
  operation: OperationEnergyRow
  period: Period
}) {
  const { unit, from, to } = period
  const open = `/acc-operations/${id}/energy-distribution?${new URLSearchParams({ unit, from, to })}`
  if (shared + surplus === 0)
    return (
      <Card title={name}>
        <EmptyState
          title="Pas encore réparti"
          why="Aucun calcul ne couvre cette période pour cette opération."
          action={<ButtonLink to={open}>Ouvrir sa répartition</ButtonLink>}
        />
      </Card>
    )
  return (
    <section aria-label={`Échanges ${withDe(name)}`} className="grid gap-3 [&>*]:min-w-0">
      <Suspense fallback={<Skeleton className="h-96 w-full" />}>
        <FlowCard where={{ operationId: id }} period={period} title={`Qui a reçu quoi, ${name}`} />
      </Suspense>
      <div>
        <ButtonLink variant="secondary" to={open}>
          Ouvrir la répartition de {name}
        </ButtonLink>
      </div>
    </section>
  )
}
