import type { EnergySeries, Granularity } from '@voisol/contract/energy'
import { granularityFor } from '@voisol/contract/granularity'
import { dayOf, dayStart, daysBetween } from '@voisol/energy/calendar'
import { type Measure, measures } from '../curve-explorer/measure.ts'
import type { ExplorerSeries } from '../curve-explorer/model.ts'
import type { Period } from '../period/period.ts'

/** Bars show one side at a time: what was drawn, or what was injected. Curves show both. */
export type Side = 'consumption' | 'production'
export type Told = 'energy' | 'money' | 'carbon'
/** What turns watt-hours of local energy into money and carbon; null where no price is known. */
export type Factors = { unitPrice: number | null; gramsPerKwh: number }

const CURVE_DAYS = 14
const BAR_DAYS = 100
/** About a year at the finest step. */
const FINE_DAYS = 400

const lengthOf = ({ from, to }: Period) => daysBetween(from, to)

/** Whether the steps themselves can be drawn, and whether bars of days or months say more at first sight. */
export const canCurve = (period: Period) => lengthOf(period) <= FINE_DAYS
export const startsAsCurve = (period: Period) => lengthOf(period) <= CURVE_DAYS

/** Of a curve the finest step that has room; bars are days or months. */
export const granularityOf = (period: Period, curve: boolean, room: number): Granularity => {
  if (curve) return granularityFor(lengthOf(period), room)
  return lengthOf(period) <= BAR_DAYS ? 'day' : 'month'
}

export const MEASURES: Record<Told, { bars: Measure; curve: Measure }> = {
  energy: { bars: measures.energy, curve: measures.power },
  money: { bars: measures.money, curve: measures.money },
  carbon: { bars: measures.carbon, curve: measures.carbon },
}

type Column = (number | null)[]
const isKnown = (column: Column) => column.some((value) => value !== null)
const scaled = (column: Column, factor: number): Column =>
  factor === 1 ? column : column.map((value) => (value === null ? null : value * factor))

/** Watt-hours of a step are drawn as the mean power over it. */
const factorOf = (told: Told, { step }: EnergySeries, { unitPrice, gramsPerKwh }: Factors) => {
  if (told === 'money') return (unitPrice ?? 0) / 100_000
  if (told === 'carbon') return gramsPerKwh / 1000
  return step === null ? 1 : 60 / step
}

type Layer = Pick<ExplorerSeries, 'key' | 'label' | 'role'> & { column: Column }

/** What consumers got; of producers alone, what was shared of their output. */
const localOf = ({ allocated, shared }: EnergySeries) => (isKnown(allocated) ? allocated : shared)

const PENDING = 'Pas encore réparti'

/** What was counted and is in no run yet; null where all of it is. */
const pendingOf = (whole: Column, local: Column, rest: Column): Column =>
  whole.map((value, at) => {
    const left = (value ?? 0) - (local[at] ?? 0) - (rest[at] ?? 0)
    return left > (value ?? 0) / 1e6 ? left : null
  })

/** Watt-hours come with three decimals. */
const NEARLY = 0.01
const at0 = (column: Column, at: number) => column[at] ?? 0

/** Whether every flow has both its ends here: then what passed through batteries is a part of the rest. */
const isWhole = ({ storage, shared, allocated }: EnergySeries) =>
  storage !== undefined &&
  shared.every(
    (given, at) =>
      Math.abs((given ?? 0) + at0(storage.restored, at) - at0(allocated, at) - at0(storage.stored, at)) < NEARLY,
  )

const minus = (whole: Column, part: Column): Column =>
  whole.map((value, at) => (value === null ? null : value - at0(part, at)))

/** What goes straight from production to consumers, what is stored, and what comes back. */
function localLayers(data: EnergySeries): Layer[] {
  const { storage } = data
  if (!storage || !isWhole(data))
    return [{ key: 'allocated', label: 'Énergie locale', role: 'local', column: localOf(data) }]
  return [
    {
      key: 'allocated',
      label: 'Énergie locale directe',
      role: 'local',
      column: minus(data.allocated, storage.restored),
    },
    { key: 'restored', label: 'Depuis la batterie', role: 'restored', column: storage.restored },
    { key: 'stored', label: 'Stocké', role: 'stored', column: storage.stored },
  ]
}

const energyLayers = (data: EnergySeries): Layer[] => [
  ...localLayers(data),
  { key: 'complement', label: 'Réseau', role: 'grid', column: data.complement },
  { key: 'surplus', label: 'Surplus', role: 'surplus', column: data.surplus },
  {
    key: 'pendingProduced',
    label: PENDING,
    role: 'pending',
    column: pendingOf(data.produced, data.shared, data.surplus),
  },
  {
    key: 'pendingConsumed',
    label: PENDING,
    role: 'pending',
    column: pendingOf(data.consumed, localOf(data), data.complement),
  },
  { key: 'consumed', label: 'Consommation', role: 'consumption', column: data.consumed },
  { key: 'produced', label: 'Production', role: 'production', column: data.produced },
]

const SIDES: Record<Side, string[]> = {
  consumption: ['allocated', 'restored', 'complement', 'pendingConsumed', 'consumed'],
  production: ['allocated', 'stored', 'surplus', 'pendingProduced', 'produced'],
}
export const sideOf = (series: ExplorerSeries[], side: Side): ExplorerSeries[] =>
  series.filter(({ key }) => SIDES[side].includes(key.replace(/-compared$/, '')))

/** Money and carbon are told of the local energy alone: nothing is known of what the rest costs. */
const layersOf = (told: Told, data: EnergySeries): Layer[] =>
  told === 'energy'
    ? energyLayers(data)
    : [
        {
          key: 'allocated',
          label: told === 'money' ? 'Valeur de l’énergie locale' : 'CO₂ évité',
          role: 'local',
          column: localOf(data),
        },
      ]

export function seriesOf(data: EnergySeries, told: Told, factors: Factors): ExplorerSeries[] {
  const factor = factorOf(told, data, factors)
  // Curves show both sides on one ground: what is pending is told of what was drawn, where that is known.
  const both = data.step !== null && isKnown(data.consumed)
  return layersOf(told, data)
    .filter(({ key, column }) => isKnown(column) && !(both && key === 'pendingProduced'))
    .map(({ column, ...layer }) => ({ ...layer, values: scaled(column, factor), quality: data.marks }))
}

const COMPARED = ['consumed', 'produced']

/** The same in another period, laid over step by step; a longer one is cut, a shorter one ends earlier. */
export function comparedOf(
  other: EnergySeries,
  { length, told, factors, words }: { length: number; told: Told; factors: Factors; words: string },
): ExplorerSeries[] {
  return seriesOf(other, told, factors)
    .filter(({ key }) => told !== 'energy' || COMPARED.includes(key))
    .map(({ quality: _, ...one }) => ({
      ...one,
      key: `${one.key}-compared`,
      label: `${one.label}, ${words}`,
      compared: true,
      values: Array.from({ length }, (_, at) => one.values[at] ?? null),
    }))
}

/** What has not begun cannot be missing, and the readings of today come tomorrow: both are left out. */
export function untilNow(data: EnergySeries, now = Date.now()): EnergySeries {
  const last = data.granularity === 'day' ? dayStart(dayOf(Math.floor(now / 60_000))) * 60_000 - 1 : now
  const end = data.starts.findIndex((start) => Date.parse(start) > last)
  if (end < 0) return data
  const cut = <T>(column: T[]) => column.slice(0, end)
  return {
    ...data,
    starts: cut(data.starts),
    produced: cut(data.produced),
    shared: cut(data.shared),
    surplus: cut(data.surplus),
    consumed: cut(data.consumed),
    allocated: cut(data.allocated),
    complement: cut(data.complement),
    ...(data.storage && {
      storage: {
        charged: cut(data.storage.charged),
        stored: cut(data.storage.stored),
        released: cut(data.storage.released),
        restored: cut(data.storage.restored),
      },
    }),
    marks: cut(data.marks),
  }
}

export const minuteOf = (instant: string) => Math.floor(Date.parse(instant) / 60_000)
