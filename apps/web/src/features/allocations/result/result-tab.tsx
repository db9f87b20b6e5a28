import type { Operation } from '@voisol/contract/operations'
import { Suspense } from 'react'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { EnergyExplorer } from '../../../ui/energy-explorer/energy-explorer.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazy } from '../../../ui/lazy.tsx'
import { usePeriod } from '../../../ui/period/use-period.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useTabLink } from '../tab-link.ts'
import { ReliabilityCard } from './state.tsx'

const FlowCard = lazy(async () => ({ default: (await import('../flow-card.tsx')).FlowCard }))
const PeriodFigures = lazy(async () => ({ default: (await import('./figures.tsx')).PeriodFigures }))
const PointTable = lazy(async () => ({ default: (await import('./points.tsx')).PointTable }))
const PairTable = lazy(async () => ({ default: (await import('./pairs.tsx')).PairTable }))

const EMPTY_STATE = (
  <EmptyState
    title="Aucune donnée sur cette période"
    why="Importez les courbes de charge des points, ou choisissez une autre période."
    action={
      <ButtonLink variant="secondary" to="/enedis-data">
        Importer des courbes
      </ButtonLink>
    }
  />
)

/** What was shared over a period, seen from far to near: figures, flows, curve, points, pairs. */
export default function ResultTab({ operation }: { operation: Operation }) {
  const [period] = usePeriod('month')
  const link = useTabLink()
  const where = { operationId: operation.id }
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <EnergyExplorer
        title="Production et consommation"
        where={where}
        unitPrice={operation.unitPrice}
        empty={EMPTY_STATE}
      >
        {({ period: shown, summary: { data, error, refetch } }) => {
          if (error) return <ErrorState error={error} onRetry={refetch} />
          if (!data) return <Skeleton className="h-40 w-full" />
          return (
            <>
              <ReliabilityCard summary={data} operation={operation} runsTo={link('calculs')} />
              <Suspense fallback={<Skeleton className="h-40 w-full" />}>
                <PeriodFigures summary={data} period={shown} />
              </Suspense>
              {data.steps.allocated > 0 && (
                <Suspense fallback={<Skeleton className="h-96 w-full" />}>
                  <FlowCard where={where} period={period} />
                </Suspense>
              )}
            </>
          )
        }}
      </EnergyExplorer>
      <Suspense fallback={<Skeleton className="h-72 w-full" />}>
        <PointTable operationId={operation.id} period={period} />
        <PairTable where={where} period={period} />
      </Suspense>
    </div>
  )
}
