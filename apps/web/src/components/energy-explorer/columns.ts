import type { EnergySeries, Granularity } from '@voisol/contract/energy'
import { chooseFinestGranularity } from '@voisol/contract/granularity'
import { dayOf, dayStart, daysBetween } from '@voisol/energy/calendar'

import type { ExplorerSeries } from '../curve-explorer/explorer-model.ts'
import type { Period } from '../period/period.ts'

/** Bars show one side at a time: what was drawn, or what was injected. Curves show both. */
export type Side = 'consumption' | 'production'
export type DisplayUnit = 'energy' | 'money' | 'carbon'
/** What turns watt-hours of local energy into money and carbon; null where no price is known. */
export type ConversionFactors = { unitPrice: number | null; gramsPerKwh: number }

const MAX_CURVE_FIRST_DAYS = 14
const MAX_DAY_BARS = 100
/** About a year at the finest step. */
const MAX_CURVE_DAYS = 400

const countDays = ({ from, to }: Period) => daysBetween(from, to)

/** Whether the steps themselves can be drawn, and whether bars of days or months say more at first sight. */
export const canDrawCurve = (period: Period) => countDays(period) <= MAX_CURVE_DAYS
export const startsAsCurve = (period: Period) => countDays(period) <= MAX_CURVE_FIRST_DAYS

/** Of a curve the finest step that has room; bars are days or months. */
export const chooseGranularity = (period: Period, curve: boolean, room: number): Granularity => {
  if (curve) return chooseFinestGranularity(countDays(period), room)
  return countDays(period) <= MAX_DAY_BARS ? 'day' : 'month'
}

type Column = (number | null)[]
const hasKnownValue = (column: Column) => column.some((value) => value !== null)
const scaleColumn = (column: Column, factor: number): Column =>
  factor === 1 ? column : column.map((value) => (value === null ? null : value * factor))

/** Watt-hours of a step are drawn as the mean power over it. */
const getFactor = (displayUnit: DisplayUnit, { step }: EnergySeries, { unitPrice, gramsPerKwh }: ConversionFactors) => {
  if (displayUnit === 'money') return (unitPrice ?? 0) / 100_000
  if (displayUnit === 'carbon') return gramsPerKwh / 1000
  return step === null ? 1 : 60 / step
}

type Layer = Pick<ExplorerSeries, 'key' | 'label' | 'role'> & { column: Column }

/** What consumers got; of producers alone, what was shared of their output. */
const getLocalColumn = ({ allocated, shared }: EnergySeries) => (hasKnownValue(allocated) ? allocated : shared)

const PENDING_LABEL = 'Pas encore réparti'

/** What was counted and is in no run yet; null where all of it is. */
const computePending = (whole: Column, local: Column, rest: Column): Column =>
  whole.map((value, at) => {
    const left = (value ?? 0) - (local[at] ?? 0) - (rest[at] ?? 0)
    return left > (value ?? 0) / 1e6 ? left : null
  })

/** Watt-hours come with three decimals. */
const WH_TOLERANCE = 0.01
const getValueOrZero = (column: Column, at: number) => column[at] ?? 0

/** Whether every flow has both its ends here: then what passed through batteries is a part of the rest. */
const isBalanced = ({ storage, shared, allocated }: EnergySeries) =>
  storage !== undefined &&
  shared.every(
    (given, at) =>
      Math.abs(
        (given ?? 0) +
          getValueOrZero(storage.restored, at) -
          getValueOrZero(allocated, at) -
          getValueOrZero(storage.stored, at),
      ) < WH_TOLERANCE,
  )

const subtractColumn = (whole: Column, part: Column): Column =>
  whole.map((value, at) => (value === null ? null : value - getValueOrZero(part, at)))

/** What goes straight from production to consumers, what is stored, and what comes back. */
function buildLocalLayers(data: EnergySeries): Layer[] {
  const { storage } = data
  if (!storage || !isBalanced(data))
    return [{ key: 'allocated', label: 'Énergie locale', role: 'local', column: getLocalColumn(data) }]
  return [
    {
      key: 'allocated',
      label: 'Énergie locale directe',
      role: 'local',
      column: subtractColumn(data.allocated, storage.restored),
    },
    { key: 'restored', label: 'Depuis la batterie', role: 'restored', column: storage.restored },
    { key: 'stored', label: 'Stocké', role: 'stored', column: storage.stored },
  ]
}

const buildEnergyLayers = (data: EnergySeries): Layer[] => [
  ...buildLocalLayers(data),
  { key: 'complement', label: 'Réseau', role: 'grid', column: data.complement },
  { key: 'surplus', label: 'Surplus', role: 'surplus', column: data.surplus },
  {
    key: 'pendingProduced',
    label: PENDING_LABEL,
    role: 'pending',
    column: computePending(data.produced, data.shared, data.surplus),
  },
  {
    key: 'pendingConsumed',
    label: PENDING_LABEL,
    role: 'pending',
    column: computePending(data.consumed, getLocalColumn(data), data.complement),
  },
  { key: 'consumed', label: 'Consommation', role: 'consumption', column: data.consumed },
  { key: 'produced', label: 'Production', role: 'production', column: data.produced },
]

const SERIES_KEYS_BY_SIDE: Record<Side, string[]> = {
  consumption: ['allocated', 'restored', 'complement', 'pendingConsumed', 'consumed'],
  production: ['allocated', 'stored', 'surplus', 'pendingProduced', 'produced'],
}
export const filterSideSeries = (series: ExplorerSeries[], side: Side): ExplorerSeries[] =>
  series.filter(({ key }) => SERIES_KEYS_BY_SIDE[side].includes(key.replace(/-compared$/, '')))

/** Money and carbon are told of the local energy alone: nothing is known of what the rest costs. */
const buildLayers = (displayUnit: DisplayUnit, data: EnergySeries): Layer[] =>
  displayUnit === 'energy'
    ? buildEnergyLayers(data)
    : [
        {
          key: 'allocated',
          label: displayUnit === 'money' ? 'Valeur de l’énergie locale' : 'CO₂ évité',
          role: 'local',
          column: getLocalColumn(data),
        },
      ]

export function buildExplorerSeries(
  data: EnergySeries,
  displayUnit: DisplayUnit,
  factors: ConversionFactors,
): ExplorerSeries[] {
  const factor = getFactor(displayUnit, data, factors)
  // Curves show both sides on one ground: what is pending is told of what was drawn, where that is known.
  const both = data.step !== null && hasKnownValue(data.consumed)
  return buildLayers(displayUnit, data)
    .filter(({ key, column }) => hasKnownValue(column) && !(both && key === 'pendingProduced'))
    .map(({ column, ...layer }) => ({ ...layer, values: scaleColumn(column, factor), quality: data.marks }))
}

const COMPARED_KEYS = ['consumed', 'produced']

/** The same in another period, laid over step by step; a longer one is cut, a shorter one ends earlier. */
export function buildComparedSeries(
  other: EnergySeries,
  { length, told, factors, words }: { length: number; told: DisplayUnit; factors: ConversionFactors; words: string },
): ExplorerSeries[] {
  return buildExplorerSeries(other, told, factors)
    .filter(({ key }) => told !== 'energy' || COMPARED_KEYS.includes(key))
    .map(({ quality: _, ...one }) => ({
      ...one,
      key: `${one.key}-compared`,
      label: `${one.label}, ${words}`,
      compared: true,
      values: Array.from({ length }, (_, at) => one.values[at] ?? null),
    }))
}

/** What has not begun cannot be missing, and the readings of today come tomorrow: both are left out. */
export function cutAtNow(data: EnergySeries, now = Date.now()): EnergySeries {
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

export const toEpochMinute = (instant: string) => Math.floor(Date.parse(instant) / 60_000)
