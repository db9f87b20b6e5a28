import { BarChart } from '../bar-chart.tsx'
import { Card } from '../card.tsx'
import { Chart, type Series, type TimeRange } from '../chart.tsx'
import { EnergySamples } from './ui-energy.tsx'

const STEP = 900
const START = Date.UTC(2026, 5, 9, 22) / 1000
const times = Array.from({ length: 96 }, (_, step) => START + step * STEP)
const toHour = (step: number) => step / 4
const computeSun = (step: number) => Math.max(0, Math.sin(((toHour(step) - 6) / 15) * Math.PI)) ** 1.3 * 42
const computeNeed = (step: number) =>
  14 + 7 * Math.exp(-(((toHour(step) - 8) / 2) ** 2)) + 13 * Math.exp(-(((toHour(step) - 19.5) / 2.2) ** 2))
const isGap = (step: number) => step >= 44 && step < 49
const toValuesWithGap = (value: (step: number) => number) =>
  times.map((_, step) => (isGap(step) ? null : Math.round(value(step) * 100) / 100))

const day: Series[] = [
  {
    label: 'Énergie locale',
    color: 'var(--data-local)',
    kind: 'stacked',
    values: toValuesWithGap((step) => Math.min(computeSun(step), computeNeed(step))),
  },
  {
    label: 'Réseau',
    color: 'var(--data-grid)',
    kind: 'stacked',
    values: toValuesWithGap((step) => Math.max(0, computeNeed(step) - computeSun(step))),
  },
  {
    label: 'Surplus',
    color: 'var(--data-surplus)',
    kind: 'stacked',
    values: toValuesWithGap((step) => Math.max(0, computeSun(step) - computeNeed(step))),
  },
  {
    label: 'Consommation prévue',
    color: 'var(--data-consumption)',
    kind: 'dashed',
    values: times.map((_, step) => computeNeed(step) * 1.06),
  },
]
const nights: TimeRange[] = [
  [START, START + 6 * 3600],
  [START + 21.6 * 3600, START + 24 * 3600],
]

const months = ['janv.', 'févr.', 'mars', 'avr.', 'mai', 'juin', 'juil.', 'août', 'sept.', 'oct.', 'nov.', 'déc.']
const shape = [0.28, 0.4, 0.66, 0.85, 0.97, 1, 1.02, 0.93, 0.74, 0.5, 0.32, 0.24]

export const ChartSamples = () => (
  <div className="grid gap-5 [&>*]:min-w-0">
    <EnergySamples />
    <Card>
      <Chart
        title="Une journée au pas de 15 minutes (exemple)"
        summary="Exemple de courbe : le soleil couvre la consommation de la matinée à la fin de l’après-midi, le réseau le reste. Les données manquent de 11 h à 12 h 15."
        times={times}
        series={day}
        unit="kW"
        nights={nights}
      />
    </Card>
    <Card>
      <BarChart
        title="Une année, mois par mois (exemple)"
        summary="Exemple de barres : l’énergie locale domine d’avril à août. Les relevés de décembre manquent."
        unit="MWh"
        series={[
          { label: 'Énergie locale', color: 'var(--data-local)' },
          { label: 'Réseau', color: 'var(--data-grid)' },
          { label: 'Surplus', color: 'var(--data-surplus)', pattern: 'dotted' },
        ]}
        bars={months.map((label, index) => {
          const part = shape[index] ?? 0
          return {
            label,
            values: index === 11 ? [null, null, null] : [part * 9, (1.25 - part) * 8, Math.max(0, part - 0.5) * 6],
          }
        })}
      />
    </Card>
  </div>
)
