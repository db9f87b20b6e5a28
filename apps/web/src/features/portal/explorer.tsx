import { energy, type Summary } from '@voisol/contract/energy'
import { type ReactNode, useState } from 'react'
import { Card } from '../../ui/card.tsx'
import { canCurve, startsAsCurve, type Told } from '../../ui/energy-explorer/columns.ts'
import { AgainstChoice, Segments, ToldChoice } from '../../ui/energy-explorer/controls.tsx'
import { Picture } from '../../ui/energy-explorer/picture.tsx'
import type { Against } from '../../ui/energy-explorer/use-energy.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { ExportMenu, SERIES_FORMATS, seriesFormat } from '../../ui/export-menu.tsx'
import { periodLabel } from '../../ui/period/label.ts'
import { type Period, periodOf } from '../../ui/period/period.ts'
import { PeriodBar } from '../../ui/period/period-bar.tsx'
import { usePeriod } from '../../ui/period/use-period.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Mine } from './my-points.ts'
import { NothingThen } from './nothing.tsx'
import { useSideEnergy } from './use-side-energy.ts'

type ExplorerProps = {
  title: string
  mine: Mine
  unitPrice: number | null
  since: string | null
  lastDay: string
  /** Above and under the picture, for the period that is shown. */
  above: (summary: Summary) => ReactNode
  under: (summary: Summary, period: Period) => ReactNode
}

/** One's own energy through time: period, kWh, € or CO₂, another period beside it, table and files. */
export function Explorer({ title, mine, unitPrice, since, lastDay, above, under }: ExplorerProps) {
  const [period, setPeriod] = usePeriod('month', lastDay)
  const [told, setTold] = useState<Told>('energy')
  const [against, setAgainst] = useState<Against>('none')
  const [wantsCurve, setWantsCurve] = useState<boolean | null>(null)
  const curve = canCurve(period) && (wantsCurve ?? startsAsCurve(period))
  const view = { period, curve, told, against, unitPrice }
  const { summary, series, drawn, granularity } = useSideEnergy(mine, view)
  const { from, to } = period
  const known = (summary.data?.steps.received ?? 0) > 0
  const change = (next: Period) => {
    if (next.unit !== period.unit) setWantsCurve(null)
    setPeriod(next)
  }
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <PeriodBar period={period} onChange={change} min={since ?? undefined} />
      {summary.error && <ErrorState error={summary.error} onRetry={summary.refetch} />}
      {!summary.data && !summary.error && <Skeleton className="h-48 w-full" />}
      {summary.data && known && above(summary.data)}
      <Card>
        <div data-print="hide" className="mb-5 flex flex-wrap items-center gap-2">
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
          <AgainstChoice value={against} onChange={setAgainst} />
          <span className="sm:ml-auto">
            <ExportMenu
              endpoint={energy.export}
              label="Télécharger"
              formats={SERIES_FORMATS}
              input={(format) => ({
                query: { ...mine.where, from, to, granularity, format: seriesFormat(format) },
              })}
            />
          </span>
        </div>
        {series.error && <ErrorState error={series.error} onRetry={series.refetch} />}
        {!drawn && !series.error && <Skeleton className="h-96 w-full" />}
        {drawn?.series.some((one) => !one.compared) && (
          <Picture
            title={title}
            {...drawn}
            told={told}
            granularity={granularity}
            label={periodLabel(period)}
            knownUntil={summary.data?.receivedUntil ?? undefined}
            onOpen={(day) => change(periodOf(granularity === 'month' ? 'month' : 'day', day))}
          />
        )}
        {drawn && !drawn.series.some((one) => !one.compared) && <NothingThen />}
      </Card>
      {summary.data && known && under(summary.data, period)}
    </div>
  )
}
