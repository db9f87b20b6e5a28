import { dayStart, listDays } from '@voisol/energy/calendar'
import { useMemo, useState } from 'react'
import { formatEnergy, formatPercent } from '../../lib/format.ts'
import { BarChart } from '../bar-chart.tsx'
import { Card } from '../card.tsx'
import { Chart, type Series, type TimeRange } from '../chart.tsx'
import { CurveExplorer } from '../curve-explorer/curve-explorer.tsx'
import type { ExplorerSeries } from '../curve-explorer/explorer-model.ts'
import { PeriodBars } from '../curve-explorer/period-bars.tsx'
import { FlowDiagram } from '../flow/flow.tsx'
import type { FlowData } from '../flow/flow-model.ts'
import { HeatMap } from '../heat-map/heat-map.tsx'
import type { HeatData } from '../heat-map/heat-map-model.ts'
import { FranceMap } from '../map/france-map.tsx'
import { PerimeterMap, type PerimeterPoint } from '../map/perimeter-map.tsx'
import { DayMatrix } from '../matrix/matrix.tsx'
import { usePeriod } from '../period/period.ts'
import { PeriodBar } from '../period/period-bar.tsx'
import { toGridPart, toLocalPart } from '../stack/energy-parts.ts'
import { Headline } from '../stack/share-bar.tsx'

/** The same figures at every visit. */
const computeNoise = (seed: number) => {
  const wave = Math.sin(seed * 12.9898) * 43_758.5453
  return wave - Math.floor(wave)
}

const computeSeason = (day: number) => 0.65 - 0.35 * Math.cos(((day - 10) / 365) * 2 * Math.PI)
const energyExamplesComputeSun = (day: number, hour: number) => {
  const half = 4.2 + 3.9 * (computeSeason(day) - 0.3)
  const height = Math.cos(((hour - 13.5) / half) * (Math.PI / 2))
  return Math.abs(hour - 13.5) < half
    ? height ** 1.4 * computeSeason(day) * (0.45 + 0.55 * computeNoise(Math.floor(day) + 3))
    : 0
}
const energyExamplesComputeNeed = (day: number, hour: number) =>
  (0.28 + 0.25 * Math.exp(-(((hour - 8) / 1.6) ** 2)) + 0.42 * Math.exp(-(((hour - 19.5) / 2.2) ** 2))) *
  (1.35 - 0.5 * computeSeason(day))

/** Quarter hours from an epoch minute, in watts, with a hole, an estimated and a corrected stretch. */
function buildSampleCurves(startsAt: number, count: number): ExplorerSeries[] {
  const firstDay = (startsAt - Date.UTC(2026, 0, 1) / 60_000) / 1440
  const hole = (step: number) => step >= count * 0.33 && step < count * 0.33 + 22
  const quality = Array.from({ length: count }, (_, step) =>
    hole(step)
      ? 0
      : step > count * 0.55 && step < count * 0.55 + 40
        ? 3
        : step > count * 0.78 && step < count * 0.78 + 18
          ? 2
          : 1,
  )
  const make = (value: (sun: number, need: number) => number) =>
    quality.map((mark, step) => {
      if (mark === 0) return null
      const day = firstDay + step / 96
      const hour = (step / 4) % 24
      return Math.round(
        value(
          62_000 * energyExamplesComputeSun(day, hour),
          48_000 * energyExamplesComputeNeed(day, hour) * (0.9 + 0.2 * computeNoise(step)),
        ),
      )
    })
  return [
    { key: 'consumption', label: 'Consommation', role: 'consumption', values: make((_, need) => need), quality },
    { key: 'local', label: 'Énergie locale', role: 'local', values: make(Math.min), quality },
    { key: 'grid', label: 'Réseau', role: 'grid', values: make((sun, need) => Math.max(0, need - sun)), quality },
    {
      key: 'surplus',
      label: 'Surplus',
      role: 'surplus',
      values: make((sun, need) => Math.max(0, sun - need)),
      quality,
    },
    {
      key: 'previous',
      label: 'Semaine précédente',
      role: 'consumption',
      compared: true,
      values: quality.map((_, step) =>
        Math.round(48_000 * energyExamplesComputeNeed(firstDay - 7 + step / 96, (step / 4) % 24) * 1.12),
      ),
    },
  ]
}

const buildMonthlyValues = (value: (month: number) => number) =>
  Array.from({ length: 12 }, (_, month) => (month === 11 ? null : Math.round(value(month) * 1e6)))
const sampleMonthBars: ExplorerSeries[] = [
  {
    key: 'local',
    label: 'Énergie locale',
    role: 'local',
    values: buildMonthlyValues((month) => 9 * computeSeason(month * 30)),
  },
  {
    key: 'grid',
    label: 'Réseau',
    role: 'grid',
    values: buildMonthlyValues((month) => 11 - 8 * computeSeason(month * 30)),
  },
  {
    key: 'surplus',
    label: 'Surplus',
    role: 'surplus',
    values: buildMonthlyValues((month) => 5 * Math.max(0, computeSeason(month * 30) - 0.5)),
  },
  {
    key: 'last',
    label: 'Année précédente',
    role: 'consumption',
    compared: true,
    values: buildMonthlyValues((month) => 12.6 - 0.5 * computeNoise(month)),
  },
]

const consumers = Array.from({ length: 120 }, (_, n) => ({
  id: `c${n}`,
  label: n === 3 ? 'Boulangerie du quartier' : n === 7 ? 'Cabinet médical des Tilleuls' : `Logement ${n + 1}`,
  wh: Math.round(900_000 / (n + 4) + 40_000 * computeNoise(n)),
  gridWh: Math.round(700_000 / (n + 6) + 70_000 * computeNoise(n + 9)),
}))
const shares = [0.46, 0.27, 0.17, 0.1]
const surplusWh = 620_000
const local = consumers.reduce((sum, one) => sum + one.wh, 0)
const sampleFlow: FlowData = {
  producers: ['École Jean-Moulin', 'Halle du marché', 'Résidence des Lilas', 'Atelier municipal'].map(
    (label, index) => ({
      id: `p${index}`,
      label,
      wh: (local + surplusWh) * (shares[index] ?? 0),
    }),
  ),
  consumers,
  links: consumers.flatMap((one) =>
    shares.map((share, index) => ({ from: `p${index}`, to: one.id, wh: one.wh * share })),
  ),
  surplusWh,
}

const days = listDays('2026-01-01', '2027-01-01')
const sampleHeat: HeatData = {
  days,
  hours: days.map((_, day) =>
    Array.from({ length: 24 }, (_, hour) =>
      day > 203 && day < 209 ? null : Math.round(62_000 * energyExamplesComputeSun(day, hour + 0.5)),
    ),
  ),
}

const buildSampleMatrixRows = (count: number, length: number) =>
  Array.from({ length: count }, (_, row) => ({
    id: String(row),
    label: `Point ${String(row + 1).padStart(4, '0')} – Logement`,
    cells: Array.from({ length }, (_, day) => {
      if (row % 23 === 5 && day < 9) return '-'
      const chance = computeNoise(row * 31 + day)
      return chance < 0.02 ? 'm' : chance < 0.03 ? 'p' : chance < 0.05 ? 'e' : chance < 0.06 ? 'c' : 'r'
    }).join(''),
  }))

const samplePerimeter: PerimeterPoint[] = Array.from({ length: 28 }, (_, n) => ({
  id: String(n),
  label: n < 3 ? `Toiture ${n + 1}` : `Logement ${n}`,
  role: n < 2 ? 'producer' : n === 2 ? 'both' : 'consumer',
  lat: 45.187 + 0.012 * (computeNoise(n + 1) - 0.5),
  lon: 5.724 + 0.019 * (computeNoise(n + 50) - 0.5),
}))

const samplePins = [
  { id: '1', label: 'Écoquartier de la Presqu’île', detail: 'Grenoble', lat: 45.19, lon: 5.71 },
  { id: '2', label: 'Copropriété Les Tilleuls', detail: 'Nantes', lat: 47.21, lon: -1.54 },
  { id: '3', label: 'Zone d’activité du Port', detail: 'Ajaccio', lat: 41.92, lon: 8.74 },
  { id: '4', label: 'Halle et écoles', detail: 'Brest', lat: 48.39, lon: -4.49 },
  { id: '5', label: 'Ferme partagée' },
]

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

const UI_ENERGY_START = '2026-06-08'
const week = buildSampleCurves(dayStart(UI_ENERGY_START), 7 * 96)
const year = buildSampleCurves(dayStart('2026-01-01'), 365 * 96).filter((one) => !one.compared)
const MONTHS = Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, '0')}-01`)
const DAYS = listDays('2026-06-01', '2026-07-01')

const PeriodSample = () => {
  const [period, setPeriod] = usePeriod('week')
  return <PeriodBar period={period} onChange={setPeriod} />
}

const MatrixSample = () => {
  const rows = useMemo(() => buildSampleMatrixRows(1000, DAYS.length), [])
  const [chosen, setChosen] = useState('Choisissez une journée.')
  return (
    <Card title="Complétude (exemple)" description={chosen}>
      <DayMatrix
        title="Complétude de 1 000 points (exemple)"
        rows={rows}
        days={DAYS}
        onSelect={({ row, day }) => setChosen(`${row.label}, ${day}`)}
      />
    </Card>
  )
}

const EnergySamples = () => (
  <div className="grid gap-5 [&>*]:min-w-0">
    <PeriodSample />
    <Headline
      label="Part locale (exemple)"
      figure={formatPercent(0.42, 0)}
      sentence="Exemple de phrase&nbsp;: 42 % de l’électricité a été locale en juin."
      parts={[toLocalPart(420_000), toGridPart(580_000)]}
    />
    <Card>
      <CurveExplorer title="Une semaine (exemple)" series={week} startsAt={dayStart(UI_ENERGY_START)} step={15} />
    </Card>
    <Card>
      <CurveExplorer
        title="Une année au pas de 15 minutes (exemple)"
        series={year}
        startsAt={dayStart('2026-01-01')}
        step={15}
        label="année 2026"
        knownUntil={dayStart('2026-12-31')}
      />
    </Card>
    <Card>
      <PeriodBars
        title="Les mois d’une année (exemple)"
        series={sampleMonthBars}
        starts={MONTHS.map(dayStart)}
        each="month"
        label="année 2026"
        onOpen={() => undefined}
      />
    </Card>
    <Card>
      <FlowDiagram title="Qui a reçu quoi (exemple)" data={sampleFlow} />
    </Card>
    <Card>
      <HeatMap title="Production, heure par jour (exemple)" data={sampleHeat} format={formatEnergy} />
    </Card>
    <MatrixSample />
    <Card>
      <PerimeterMap title="Périmètre (exemple)" points={samplePerimeter} limitKm={2} />
    </Card>
    <Card title="Carte des projets (exemple)">
      <FranceMap title="Projets" pins={samplePins.map((pin) => ({ ...pin, link: pin.label }))} />
    </Card>
  </div>
)
