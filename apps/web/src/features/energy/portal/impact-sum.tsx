import { dayOf } from '@voisol/energy/calendar'
import { BarChart } from '../../../ui/bar-chart.tsx'
import { getAxisUnit, measures } from '../../../ui/curve-explorer/measure.ts'
import type { ExplorerSeries } from '../../../ui/curve-explorer/model.ts'
import { formatFullDay, formatMonthYear } from '../../../ui/period/label.ts'

const { carbon } = measures
const CUMULATED_SERIES = [{ label: 'CO₂ évité depuis le début', color: 'var(--data-local)' }]

type CumulatedImpactChartProps = { series: ExplorerSeries[]; starts: number[]; each: 'day' | 'month' }

/** How it adds up: each bar holds all the ones before it. */
export function CumulatedImpactChart({ series: [sum], starts, each }: CumulatedImpactChartProps) {
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
