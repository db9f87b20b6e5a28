import { daysBetween, intersectPeriods, type Period } from '../calendar/days.ts'
import type { BillingMember, DistributorRow, MonthInput } from './input.ts'
import type { MonthNotice } from './issues.ts'

/**
 * Energy of one producer and class by day of the month: weight × num / den watt-minutes, exactly. Our own energies have
 * whole weights and a factor of one; a row of the distributor divides its quantity (num) by the sum of its weights
 * (den).
 */
export type EnergyLayer = { producer: string; class: string; weights: Float64Array; num: bigint; den: bigint }
/** The parts a row is divided into: holder, producer, and the weight of each day. */
type SpreadPart = { holder: string; producer: string; weights: Float64Array }

type SpreadContext = {
  row: DistributorRow
  holders: readonly BillingMember[]
  /** Our own energies of every member. */
  own: ReadonlyMap<string, readonly EnergyLayer[]>
  /** By producer, the energy of all members on each day. */
  totals: () => ReadonlyMap<string, Float64Array>
  /** Receives the result. */
  layers: Map<string, EnergyLayer[]>
  input: MonthInput
  period: Period
}
type MembershipWindow = { holder: string; first: number; end: number }

/** The days of the row on which each holder was a member. */
function listWindows({ row, holders, period }: SpreadContext): MembershipWindow[] {
  return holders.flatMap((member) => {
    const days = intersectPeriods(row, period, member)
    if (!days) return []
    return [{ holder: member.id, first: daysBetween(period.from, days.from), end: daysBetween(period.from, days.to) }]
  })
}

function keepWindow(source: Float64Array, { first, end }: MembershipWindow): Float64Array {
  const weights = new Float64Array(source.length)
  weights.set(source.subarray(first, end), first)
  return weights
}

const addWeights = (into: Float64Array, more: Float64Array) => {
  for (let day = 0; day < into.length; day++) into[day] = (into[day] ?? 0) + (more[day] ?? 0)
}

/** Own energies of the given holders, by producer. */
function listOwnParts(
  { own }: SpreadContext,
  windows: readonly MembershipWindow[],
  suits: (layer: EnergyLayer) => boolean,
): SpreadPart[] {
  return windows.flatMap((window) => {
    const producers = Map.groupBy((own.get(window.holder) ?? []).filter(suits), ({ producer }) => producer)
    return [...producers].map(([producer, layers]) => {
      const weights = new Float64Array(layers[0]?.weights.length ?? 0)
      for (const layer of layers) addWeights(weights, keepWindow(layer.weights, window))
      return { holder: window.holder, producer, weights }
    })
  })
}

/** The energy of all members from each producer on each day; computed on first use. */
export function createProducerTotals(
  own: ReadonlyMap<string, readonly EnergyLayer[]>,
): () => ReadonlyMap<string, Float64Array> {
  let totals: Map<string, Float64Array> | undefined
  return () => {
    if (totals) return totals
    totals = new Map()
    for (const { producer, weights } of [...own.values()].flat()) {
      const total = totals.get(producer)
      if (total) addWeights(total, weights)
      else totals.set(producer, weights.slice())
    }
    return totals
  }
}

const listNeighbourParts = ({ totals }: SpreadContext, windows: readonly MembershipWindow[]): SpreadPart[] =>
  windows.flatMap((window) =>
    [...totals()].map(([producer, weights]) => ({
      holder: window.holder,
      producer,
      weights: keepWindow(weights, window),
    })),
  )

function listEqualParts({ input, period }: SpreadContext, windows: readonly MembershipWindow[]): SpreadPart[] {
  const ones = new Float64Array(daysBetween(period.from, period.to)).fill(1)
  return windows.flatMap((window) =>
    input.producers.map(({ id }) => ({ holder: window.holder, producer: id, weights: keepWindow(ones, window) })),
  )
}

const sumWeights = (parts: readonly SpreadPart[]): number =>
  parts.reduce((sum, { weights }) => sum + weights.reduce((total, weight) => total + weight, 0), 0)

/**
 * Divides in proportion to our energies of the point and class; without any, of the point; of all members; else in
 * equal parts.
 */
export function distributeRow(spreading: SpreadContext): MonthNotice[] {
  const { row, layers } = spreading
  if (row.wh === 0) return []
  const told = { prm: row.prm, class: row.class, wh: row.wh, from: row.from, to: row.to }
  const windows = listWindows(spreading)
  if (windows.length === 0) return [{ code: 'rowOutsideMembership', ...told }]
  const levels = [
    () => listOwnParts(spreading, windows, (layer) => layer.class === row.class),
    () => listOwnParts(spreading, windows, () => true),
    () => listNeighbourParts(spreading, windows),
    () => listEqualParts(spreading, windows),
  ]
  for (const [at, partsOf] of levels.entries()) {
    const parts = partsOf()
    const total = sumWeights(parts)
    if (total === 0) continue
    for (const { holder, producer, weights } of parts)
      layers.get(holder)?.push({ producer, class: row.class, weights, num: BigInt(row.wh) * 60n, den: BigInt(total) })
    const level = at + 1
    return level === 2 || level === 3 || level === 4 ? [{ code: 'spreadLevel', level, ...told }] : []
  }
  return []
}
