import { Card } from '../../../components/card.tsx'
import type { EnergyScope } from '../../../components/energy-explorer/use-energy.ts'
import { ErrorState } from '../../../components/error-state.tsx'
import { FlowDiagram } from '../../../components/flow/flow.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import type { Period } from '../../../components/period/period.ts'
import { formatPeriodLabel } from '../../../components/period/period-labels.ts'
import { useFlow } from './use-members.ts'

type FlowCardProps = { where: EnergyScope; period: Period; title?: string }

export function FlowCard({ where, period, title = 'Qui a reçu quoi' }: FlowCardProps) {
  const { data, error, refetch, tooLong } = useFlow(where, period)
  if (tooLong)
    return (
      <Card title={title}>
        <p className="text-body text-ink-soft">
          Les échanges se dessinent sur un an au plus&nbsp;: choisissez une période plus courte.
        </p>
      </Card>
    )
  return (
    <Card>
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : data ? (
        <FlowDiagram title={`${title}, ${formatPeriodLabel(period)}`} data={data} />
      ) : (
        <Skeleton className="h-96 w-full" />
      )}
    </Card>
  )
}
