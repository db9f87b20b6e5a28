import type { Study } from '@voisol/contract/projects'
import { BarChart } from '../../../components/bar-chart.tsx'
import { formatPercent } from '../../../lib/format.ts'

const SHORT_MONTH_NAMES = [
  'janv.',
  'févr.',
  'mars',
  'avr.',
  'mai',
  'juin',
  'juil.',
  'août',
  'sept.',
  'oct.',
  'nov.',
  'déc.',
]
const MONTH_NAMES = [
  'janvier',
  'février',
  'mars',
  'avril',
  'mai',
  'juin',
  'juillet',
  'août',
  'septembre',
  'octobre',
  'novembre',
  'décembre',
]

const computeCoverage = ({ allocated, consumed }: Study['months'][number]) => (consumed > 0 ? allocated / consumed : 0)

/** The best and the leanest month, in a sentence. */
export function describeMonths(months: Study['months']) {
  const ranked = months.toSorted((a, b) => computeCoverage(b) - computeCoverage(a))
  const [best, worst] = [ranked[0], ranked.at(-1)]
  if (!best || !worst || computeCoverage(best) === 0) return 'Aucune énergie locale ne serait consommée.'
  const describeMonth = (month: typeof best) =>
    `${formatPercent(computeCoverage(month), 0)} en ${MONTH_NAMES[month.month - 1]}`
  return `L’énergie locale couvrirait ${describeMonth(best)}, le meilleur mois, et ${describeMonth(worst)}, le plus faible.`
}

/** kWh for a small project, MWh for a larger one: figures that fit on a bar. */
const chooseUnit = (months: Study['months']) =>
  Math.max(...months.map(({ produced, consumed }) => Math.max(produced, consumed))) >= 10_000_000
    ? { unit: 'MWh', size: 1e6 }
    : { unit: 'kWh', size: 1e3 }

export function StudyMonths({ study: { months } }: { study: Study }) {
  const { unit, size } = chooseUnit(months)
  return (
    <BarChart
      title="Mois par mois"
      summary={describeMonths(months)}
      unit={unit}
      series={[
        { label: 'Énergie locale', color: 'var(--data-local)' },
        { label: 'Réseau', color: 'var(--data-grid)' },
        { label: 'Surplus', color: 'var(--data-surplus)', pattern: 'dotted' },
      ]}
      bars={months.map(({ month, produced, consumed, allocated }) => ({
        label: SHORT_MONTH_NAMES[month - 1] ?? '',
        values: [allocated, consumed - allocated, produced - allocated].map((value) => value / size),
      }))}
    />
  )
}

type ChartBox = { width: number; height: number }

/** A staircase over the hours, as the outline of an area between two levels. */
export function buildStairArea(from: number[], to: number[], highest: number, { width, height }: ChartBox): string {
  const x = (hour: number) => Math.round((hour / from.length) * width * 10) / 10
  const y = (value: number) => Math.round((1 - value / highest) * height * 10) / 10
  const along = (values: number[], hours: number[], side: (hour: number) => [number, number]) =>
    hours.map((hour) =>
      side(hour)
        .map((edge) => `${x(edge)} ${y(values[hour] ?? 0)}`)
        .join('L'),
    )
  const hours = from.map((_, hour) => hour)
  const up = along(to, hours, (hour) => [hour, hour + 1])
  const down = along(from, hours.toReversed(), (hour) => [hour + 1, hour])
  return `M${[...up, ...down].join('L')}Z`
}

/** The same staircase as a line. */
export function buildStairLine(values: number[], highest: number, { width, height }: ChartBox): string {
  const x = (hour: number) => Math.round((hour / values.length) * width * 10) / 10
  const y = (value: number) => Math.round((1 - value / highest) * height * 10) / 10
  return `M${values.map((value, hour) => `${x(hour)} ${y(value)}H${x(hour + 1)}`).join('L')}`
}

const ROUND_FACTORS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10]

/** A round number at or above, whose half is round too. */
export function roundUpForAxis(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return (ROUND_FACTORS.find((factor) => factor * power >= value) ?? 10) * power
}
