import { useQuery } from '@tanstack/react-query'
import { type EnergySeries, energy } from '@voisol/contract/energy'
import { addDays, dayOf, daysBetween } from '@voisol/energy/calendar'
import { useMemo, useState } from 'react'
import { BarChart } from '../../../../components/bar-chart.tsx'
import { Card } from '../../../../components/card.tsx'
import { getAxisUnit, measures } from '../../../../components/curve-explorer/energy-measure.ts'
import type { ExplorerSeries } from '../../../../components/curve-explorer/explorer-model.ts'
import { PeriodBars } from '../../../../components/curve-explorer/period-bars.tsx'
import { toEpochMinute } from '../../../../components/energy-explorer/columns.ts'
import { SegmentedControl } from '../../../../components/energy-explorer/explorer-controls.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { formatDayRange, formatFullDay, formatMonthYear } from '../../../../components/period/period-labels.ts'
import { query } from '../../../../lib/queries.ts'
import type { OwnSide, Side, SinceEntryRange } from './my-points.ts'

/** Under two months, months would be a bar or two. */
const MAX_DAYS_BY_DAY = 62

type ImpactChartProps = { mine: OwnSide; span: SinceEntryRange; gramsPerKwh: number }

export function ImpactChart({ mine: { side, where }, span, gramsPerKwh }: ImpactChartProps) {
  const [shown, setShown] = useState<ImpactMode>('each')
  const each = daysBetween(span.from, span.to) > MAX_DAYS_BY_DAY ? 'month' : 'day'
  const { data, error, refetch } = useQuery(query(energy.series, { query: { ...where, ...span, granularity: each } }))
  const chartData = useMemo(
    () => data && buildImpactSeries(data, side, gramsPerKwh, shown),
    [data, side, gramsPerKwh, shown],
  )
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!chartData) return <Skeleton className="h-96 w-full" />
  return (
    <Card>
      <div data-print="hide" className="mb-5 flex">
        <SegmentedControl
          label="Présentation"
          value={shown}
          onChange={setShown}
          options={[
            { value: 'each', label: each === 'month' ? 'Mois par mois' : 'Jour par jour' },
            { value: 'sum', label: 'Depuis le début' },
          ]}
        />
      </div>
      {shown === 'each' ? (
        <PeriodBars
          title="CO₂ évité"
          {...chartData}
          each={each}
          measure={measures.carbon}
          label={formatDayRange(span.from, addDays(span.to, -1))}
        />
      ) : (
        <CumulatedImpactChart {...chartData} each={each} />
      )}
    </Card>
  )
}

const { carbon } = measures
const CUMULATED_SERIES = [{ label: 'CO₂ évité depuis le début', color: 'var(--data-local)' }]

type CumulatedImpactChartProps = { series: ExplorerSeries[]; starts: number[]; each: 'day' | 'month' }

/** How it adds up: each bar holds all the ones before it. */
function CumulatedImpactChart({ series: [sum], starts, each }: CumulatedImpactChartProps) {
  const values = sum?.values ?? []
  const last = values.at(-1) ?? 0
  const { unit, size } = getAxisUnit(carbon, last)
  const first = starts[0] === undefined ? '' : dayOf(starts[0])
  return (
    <BarChart
      title="CO₂ évité depuis votre entrée"
      summary={`${carbon.text(last)} évités en tout, depuis ${each === 'month' ? formatMonthYear(first) : `le ${formatFullDay(first)}`}.`}
      unit={unit}
      series={CUMULATED_SERIES}
      bars={starts.map((start, at) => {
        const day = dayOf(start)
        return {
          label: each === 'month' ? formatMonthYear(day) : formatFullDay(day),
          short: each === 'month' ? formatMonthYear(day).slice(0, 1).toUpperCase() : String(Number(day.slice(8))),
          values: [(values[at] ?? 0) / size],
        }
      })}
    />
  )
}

type ImpactMode = 'each' | 'sum'

/** Sums from the first to each; what is not known adds nothing. */
function cumulate(values: (number | null)[]): number[] {
  let sum = 0
  return values.map((value) => (sum += value ?? 0))
}

/** Grams of CO₂ avoided by month or by day, each alone or added to those before. */
export function buildImpactSeries(data: EnergySeries, side: Side, gramsPerKwh: number, shown: ImpactMode) {
  const column = side === 'consumption' ? data.allocated : data.shared
  const grams = column.map((wattHours) => (wattHours === null ? null : (wattHours / 1000) * gramsPerKwh))
  const series: ExplorerSeries[] = [
    {
      key: shown,
      label: shown === 'each' ? 'CO₂ évité' : 'CO₂ évité depuis votre entrée',
      role: 'local',
      values: shown === 'each' ? grams : cumulate(grams),
      quality: data.marks,
    },
  ]
  return { series, starts: data.starts.map(toEpochMinute) }
}
