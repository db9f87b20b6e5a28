import type { Study } from '@voisol/contract/projects'
import { formatPercent } from '../../lib/format.ts'
import { BarChart } from '../../ui/bar-chart.tsx'

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
