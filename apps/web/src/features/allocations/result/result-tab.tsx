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
import { State } from './state.tsx'

const FlowCard = lazy(async () => ({ default: (await import('../flow-card.tsx')).FlowCard }))
const Figures = lazy(async () => ({ default: (await import('./figures.tsx')).Figures }))
const Points = lazy(async () => ({ default: (await import('./points.tsx')).Points }))
const Pairs = lazy(async () => ({ default: (await import('./pairs.tsx')).Pairs }))

const NOTHING = (
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
      <EnergyExplorer title="Production et consommation" where={where} unitPrice={operation.unitPrice} empty={NOTHING}>
        {({ period: shown, summary: { data, error, refetch } }) => {
          if (error) return <ErrorState error={error} onRetry={refetch} />
          if (!data) return <Skeleton className="h-40 w-full" />
          return (
            <>
              <State summary={data} operation={operation} runsTo={link('calculs')} />
              <Suspense fallback={<Skeleton className="h-40 w-full" />}>
                <Figures summary={data} period={shown} />
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
        <Points operationId={operation.id} period={period} />
        <Pairs where={where} period={period} />
      </Suspense>
    </div>
  )
}
