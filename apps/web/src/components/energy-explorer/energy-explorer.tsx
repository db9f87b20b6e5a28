import { type ReactNode, useState } from 'react'
import { ButtonLink } from '../button.tsx'
import { Card } from '../card.tsx'
import { EmptyState } from '../empty-state.tsx'
import { ErrorState } from '../error-state.tsx'
import { Skeleton } from '../loading.tsx'
import { buildPeriod, type Period, usePeriod } from '../period/period.ts'
import { PeriodBar } from '../period/period-bar.tsx'
import { formatPeriodLabel } from '../period/period-labels.ts'
import type { Side } from './columns.ts'
import { EnergyExplorerChart } from './energy-chart.tsx'
import { SegmentedControl } from './explorer-controls.tsx'
import { ExplorerTools, useDrawingOptions } from './explorer-tools.tsx'
import { useDrawingWidth } from './use-drawing-width.ts'
import { buildSelection, type EnergyScope, useEnergyData } from './use-energy.ts'

type EnergyExplorerProps = {
  title: string
  where: EnergyScope
  /** 1/10 000 of a euro per kWh; without it nothing is told in euros. */
  unitPrice: number | null
  /** Above the picture, for the period that is shown. */
  children?: (state: { period: Period; summary: ReturnType<typeof useEnergyData>['summary'] }) => ReactNode
  empty?: ReactNode
}

const NO_DATA = (
  <EmptyState
    title="Aucune donnée sur cette période"
    why="Aucun relevé n’a été reçu pour ces jours. Choisissez une autre période, ou importez les courbes de charge."
    action={
      <ButtonLink variant="secondary" to="/enedis-data">
        Importer des courbes
      </ButtonLink>
    }
  />
)

/** Curves and bars of any stretch of time: period, kWh, € or CO₂, comparison, table, files. */
export function EnergyExplorer({ title, where, unitPrice, children, empty = NO_DATA }: EnergyExplorerProps) {
  const [period, setPeriod] = usePeriod('month')
  const [side, setSide] = useState<Side>('consumption')
  const drawing = useDrawingOptions(period)
  const { told, against, curve } = drawing
  const [widthRef, width] = useDrawingWidth()
  const view = { period, curve, told, against, side }
  const { summary, series, drawn, granularity, zoom } = useEnergyData(where, view, unitPrice, width)
  const change = (next: Period) => {
    drawing.renew(next)
    setPeriod(next)
  }
  const until = summary.data?.receivedUntil
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <PeriodBar period={period} onChange={change} />
      {children?.({ period, summary })}
      <Card>
        <ExplorerTools
          period={period}
          drawing={drawing}
          priced={unitPrice !== null}
          selection={{ ...buildSelection(where, period), granularity }}
        >
          {!curve && told === 'energy' && (
            <SegmentedControl
              label="Côté affiché"
              value={side}
              onChange={setSide}
              options={[
                { value: 'consumption', label: 'Consommation' },
                { value: 'production', label: 'Production' },
              ]}
            />
          )}
        </ExplorerTools>
        <div ref={widthRef} />
        {series.error && <ErrorState error={series.error} onRetry={series.refetch} />}
        {!drawn && !series.error && <Skeleton className="h-96 w-full" />}
        {drawn &&
          (drawn.series.some((one) => !one.compared) ? (
            <EnergyExplorerChart
              title={title}
              {...drawn}
              told={told}
              granularity={granularity}
              curve={curve}
              zoom={zoom}
              label={formatPeriodLabel(period)}
              knownUntil={until ?? undefined}
              onOpen={(day) => change(buildPeriod(granularity === 'month' ? 'month' : 'day', day))}
            />
          ) : (
            empty
          ))}
        {unitPrice === null && (
          <p className="mt-3 text-[0.8125rem] text-ink-soft">
            Les montants en euros s’affichent dès qu’un prix du kWh est renseigné.
          </p>
        )}
      </Card>
    </div>
  )
}
