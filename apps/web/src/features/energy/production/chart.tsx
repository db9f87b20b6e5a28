import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import type { DisplayUnit } from '../../../ui/energy-explorer/columns.ts'
import { EnergyExplorerChart } from '../../../ui/energy-explorer/picture.tsx'
import { ExplorerTools, useDrawingOptions } from '../../../ui/energy-explorer/tools.tsx'
import { useDrawingWidth } from '../../../ui/energy-explorer/use-room.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { formatPeriodLabel } from '../../../ui/period/label.ts'
import { buildPeriod, type Period } from '../../../ui/period/period.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useProduction } from './use-production.ts'

type Props = { period: Period; operationId: string | undefined; onPeriod: (period: Period) => void }

const EMPTY_STATE = (
  <EmptyState
    title="Aucune production sur cette période"
    why="Aucun relevé de centrale n’a été reçu pour ces jours. Choisissez une autre période, ou importez les courbes d’une opération."
    action={
      <ButtonLink variant="secondary" to="/enedis-data">
        Importer des courbes
      </ButtonLink>
    }
  />
)

/** The production of the period: what was shared, what was left, day by day. */
export function ProductionChart({ period, operationId, onPeriod }: Props) {
  const drawing = useDrawingOptions(period)
  const { told, against, curve } = drawing
  const [holder, room] = useDrawingWidth()
  const view = { period, operationId, curve, told, against }
  const { summary, own, drawn, granularity, unitPrice, zoom } = useProduction(view, room)
  const shown: DisplayUnit = told === 'money' && unitPrice === null ? 'energy' : told
  return (
    <Card>
      <ExplorerTools
        period={period}
        drawing={{ ...drawing, told: shown }}
        priced={unitPrice !== null}
        selection={{ operationId, from: period.from, to: period.to, granularity }}
      />
      <div ref={holder} />
      {own.error && <ErrorState error={own.error} onRetry={own.refetch} />}
      {!drawn && !own.error && <Skeleton className="h-96 w-full" />}
      {drawn &&
        (drawn.series.some((one) => !one.compared) ? (
          <EnergyExplorerChart
            title="Production de la période"
            {...drawn}
            told={shown}
            granularity={granularity}
            curve={curve}
            zoom={zoom}
            label={formatPeriodLabel(period)}
            knownUntil={summary.data?.receivedUntil ?? undefined}
            onOpen={(day) => onPeriod(buildPeriod(granularity === 'month' ? 'month' : 'day', day))}
          />
        ) : (
          EMPTY_STATE
        ))}
    </Card>
  )
}
