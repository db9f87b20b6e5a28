import { listDays } from '@voisol/energy/calendar'
import type { ExplorerSeries } from '../curve-explorer/model.ts'
import type { FlowData } from '../flow/model.ts'
import type { HeatData } from '../heat-map/model.ts'
import type { PerimeterPoint } from '../map/perimeter-map.tsx'

/** The same figures at every visit. */
const computeNoise = (seed: number) => {
  const wave = Math.sin(seed * 12.9898) * 43_758.5453
  return wave - Math.floor(wave)
}

const computeSeason = (day: number) => 0.65 - 0.35 * Math.cos(((day - 10) / 365) * 2 * Math.PI)
const computeSun = (day: number, hour: number) => {
  const half = 4.2 + 3.9 * (computeSeason(day) - 0.3)
  const height = Math.cos(((hour - 13.5) / half) * (Math.PI / 2))
  return Math.abs(hour - 13.5) < half
    ? height ** 1.4 * computeSeason(day) * (0.45 + 0.55 * computeNoise(Math.floor(day) + 3))
    : 0
}
const computeNeed = (day: number, hour: number) =>
  (0.28 + 0.25 * Math.exp(-(((hour - 8) / 1.6) ** 2)) + 0.42 * Math.exp(-(((hour - 19.5) / 2.2) ** 2))) *
  (1.35 - 0.5 * computeSeason(day))

/** Quarter hours from an epoch minute, in watts, with a hole, an estimated and a corrected stretch. */
export function buildSampleCurves(startsAt: number, count: number): ExplorerSeries[] {
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
        value(62_000 * computeSun(day, hour), 48_000 * computeNeed(day, hour) * (0.9 + 0.2 * computeNoise(step))),
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
        Math.round(48_000 * computeNeed(firstDay - 7 + step / 96, (step / 4) % 24) * 1.12),
      ),
    },
  ]
}

const buildMonthlyValues = (value: (month: number) => number) =>
  Array.from({ length: 12 }, (_, month) => (month === 11 ? null : Math.round(value(month) * 1e6)))
export const sampleMonthBars: ExplorerSeries[] = [
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
export const sampleFlow: FlowData = {
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
export const sampleHeat: HeatData = {
  days,
  hours: days.map((_, day) =>
    Array.from({ length: 24 }, (_, hour) =>
      day > 203 && day < 209 ? null : Math.round(62_000 * computeSun(day, hour + 0.5)),
    ),
  ),
}

export const buildSampleMatrixRows = (count: number, length: number) =>
  Array.from({ length: count }, (_, row) => ({
    id: String(row),
    label: `Point ${String(row + 1).padStart(4, '0')} – Logement`,
    cells: Array.from({ length }, (_, day) => {
      if (row % 23 === 5 && day < 9) return '-'
      const chance = computeNoise(row * 31 + day)
      return chance < 0.02 ? 'm' : chance < 0.03 ? 'p' : chance < 0.05 ? 'e' : chance < 0.06 ? 'c' : 'r'
    }).join(''),
  }))

export const samplePerimeter: PerimeterPoint[] = Array.from({ length: 28 }, (_, n) => ({
  id: String(n),
  label: n < 3 ? `Toiture ${n + 1}` : `Logement ${n}`,
  role: n < 2 ? 'producer' : n === 2 ? 'both' : 'consumer',
  lat: 45.187 + 0.012 * (computeNoise(n + 1) - 0.5),
  lon: 5.724 + 0.019 * (computeNoise(n + 50) - 0.5),
}))

export const samplePins = [
  { id: '1', label: 'Écoquartier de la Presqu’île', detail: 'Grenoble', lat: 45.19, lon: 5.71 },
  { id: '2', label: 'Copropriété Les Tilleuls', detail: 'Nantes', lat: 47.21, lon: -1.54 },
  { id: '3', label: 'Zone d’activité du Port', detail: 'Ajaccio', lat: 41.92, lon: 8.74 },
  { id: '4', label: 'Halle et écoles', detail: 'Brest', lat: 48.39, lon: -4.49 },
  { id: '5', label: 'Ferme partagée' },
]
