import { dayOf } from '@voisol/energy/calendar'
import { BarChart } from '../../../ui/bar-chart.tsx'
import { axisUnit, measures } from '../../../ui/curve-explorer/measure.ts'
import type { ExplorerSeries } from '../../../ui/curve-explorer/model.ts'
import { fullDayLabel, monthLabel } from '../../../ui/period/label.ts'

const { carbon } = measures
const SERIES = [{ label: 'CO₂ évité depuis le début', color: 'var(--data-local)' }]

type ImpactSumProps = { series: ExplorerSeries[]; starts: number[]; each: 'day' | 'month' }

/** How it adds up: each bar holds all the ones before it. */
export function ImpactSum({ series: [sum], starts, each }: ImpactSumProps) {
  const values = sum?.values ?? []
  const last = values.at(-1) ?? 0
  const { unit, size } = axisUnit(carbon, last)
  const first = starts[0] === undefined ? '' : dayOf(starts[0])
  return (
    <BarChart
      title="CO₂ évité depuis votre entrée"
      summary={`${carbon.text(last)} évités en tout, depuis ${each === 'month' ? monthLabel(first) : `le ${fullDayLabel(first)}`}.`}
      unit={unit}
      series={SERIES}
      bars={starts.map((start, at) => {
        const day = dayOf(start)
        return {
          label: each === 'month' ? monthLabel(day) : fullDayLabel(day),
          short: each === 'month' ? monthLabel(day).slice(0, 1).toUpperCase() : String(Number(day.slice(8))),
          values: [(values[at] ?? 0) / size],
        }
      })}
    />
  )
}
