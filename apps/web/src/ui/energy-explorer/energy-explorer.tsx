import { energy } from '@voisol/contract/energy'
import { type ReactNode, useState } from 'react'
import { Card } from '../card.tsx'
import { EmptyState } from '../empty-state.tsx'
import { ErrorState } from '../error-state.tsx'
import { ExportMenu, SERIES_FORMATS } from '../export-menu.tsx'
import { periodLabel } from '../period/label.ts'
import { type Period, periodOf } from '../period/period.ts'
import { PeriodBar } from '../period/period-bar.tsx'
import { usePeriod } from '../period/use-period.ts'
import { Skeleton } from '../skeleton.tsx'
import { canCurve, type Side, startsAsCurve, type Told } from './columns.ts'
import { AgainstChoice, Segments, ToldChoice } from './controls.tsx'
import { Picture } from './picture.tsx'
import { type Against, selectionOf, useEnergy, type Where } from './use-energy.ts'

type EnergyExplorerProps = {
  title: string
  where: Where
  /** 1/10 000 of a euro per kWh; without it nothing is told in euros. */
  unitPrice: number | null
  /** Above the picture, for the period that is shown. */
  children?: (state: { period: Period; summary: ReturnType<typeof useEnergy>['summary'] }) => ReactNode
  empty?: ReactNode
}

const NOTHING = (
  <EmptyState
    title="Aucune donnée sur cette période"
    why="Aucun relevé n’a été reçu pour ces jours. Choisissez une autre période, ou importez les courbes de charge."
  />
)

/** Curves and bars of any stretch of time: period, kWh, € or CO₂, comparison, table, files. */
export function EnergyExplorer({ title, where, unitPrice, children, empty = NOTHING }: EnergyExplorerProps) {
  const [period, setPeriod] = usePeriod('month')
  const [told, setTold] = useState<Told>('energy')
  const [side, setSide] = useState<Side>('consumption')
  const [against, setAgainst] = useState<Against>('none')
  const [wantsCurve, setWantsCurve] = useState<boolean | null>(null)
  const curve = canCurve(period) && (wantsCurve ?? startsAsCurve(period))
  const { summary, series, drawn, granularity } = useEnergy(where, { period, curve, told, against, side }, unitPrice)
  const change = (next: Period) => {
    if (next.unit !== period.unit) setWantsCurve(null)
    setPeriod(next)
  }
  const until = summary.data?.receivedUntil
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <PeriodBar period={period} onChange={change} />
      {children?.({ period, summary })}
      <Card>
        <div data-print="hide" className="mb-4 flex flex-wrap items-center gap-2">
          <ToldChoice told={told} priced={unitPrice !== null} onChange={setTold} />
          <Segments
            label="Dessin"
            value={curve ? 'curve' : 'bars'}
            onChange={(value) => setWantsCurve(value === 'curve')}
            options={[
              { value: 'bars', label: 'Barres', disabled: period.unit === 'day' },
              { value: 'curve', label: 'Courbe', disabled: !canCurve(period) },
            ]}
          />
          {!curve && told === 'energy' && (
            <Segments
              label="Côté affiché"
              value={side}
              onChange={setSide}
              options={[
                { value: 'consumption', label: 'Consommation' },
                { value: 'production', label: 'Production' },
              ]}
            />
          )}
          <AgainstChoice value={against} onChange={setAgainst} />
          <span className="sm:ml-auto">
            <ExportMenu
              endpoint={energy.export}
              formats={SERIES_FORMATS}
              input={(format) => ({
                query: { ...selectionOf(where, period), granularity, format: formatOf(format) },
              })}
            />
          </span>
        </div>
        {series.error && <ErrorState error={series.error} onRetry={series.refetch} />}
        {!drawn && !series.error && <Skeleton className="h-96 w-full" />}
        {drawn &&
          (drawn.series.some((one) => !one.compared) ? (
            <Picture
              title={title}
              {...drawn}
              told={told}
              granularity={granularity}
              label={periodLabel(period)}
              knownUntil={until ?? undefined}
              onOpen={(day) => change(periodOf(granularity === 'month' ? 'month' : 'day', day))}
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

const FORMATS = ['csv-excel', 'csv-data', 'xlsx', 'json'] as const
const formatOf = (format: string) => FORMATS.find((one) => one === format) ?? 'csv-excel'
