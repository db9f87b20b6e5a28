import { buildKeyRanges } from '../keys/keys.ts'
import { MISSING } from '../series/series.ts'
import type { AllocationInput, AllocationResult, PointCurve } from './allocation-input.ts'
import { splitByWeight } from './largest-remainder.ts'

/**
 * What is stored comes from production, never from what a battery releases at the same step. Where a battery charges
 * while one releases, each step has two pools: what was released goes by the key to consumers other than batteries,
 * then what was generated goes by the key to all consumers, for what each still needs.
 */
export type StoragePot = {
  input: AllocationInput
  allocation: AllocationResult /** Index of its producers among all. */
  places: number[]
}

type Divide = (input: AllocationInput) => AllocationResult
type StoragePoints = Pick<AllocationInput, 'producers' | 'consumers'>

const isBattery = ({ storage }: PointCurve) => storage === true

/** 1 where an active battery charges and a known one releases; undefined where that never happens. */
export function findMixedSteps({ producers, consumers }: StoragePoints, excluded: Uint8Array): Uint8Array | undefined {
  if (!producers.some(isBattery) || !consumers.some(isBattery)) return undefined
  const [charging, releasing] = [
    markActiveBatteries(consumers, excluded.length),
    markActiveBatteries(producers, excluded.length),
  ]
  const mixed = excluded.map((code, at) => (code === 0 ? (charging[at] ?? 0) & (releasing[at] ?? 0) : 0))
  return mixed.includes(1) ? mixed : undefined
}

function markActiveBatteries(points: PointCurve[], steps: number): Uint8Array {
  const is = new Uint8Array(steps)
  for (const { values, active } of points.filter(isBattery))
    for (const [from, to] of active)
      for (let at = Math.max(0, from); at < Math.min(steps, to); at++) if ((values[at] ?? MISSING) > 0) is[at] = 1
  return is
}

export function splitIntoPots(input: AllocationInput, divide: Divide): StoragePot[] {
  const potOf = (released: boolean, consumers: PointCurve[]): StoragePot => {
    const places = input.producers.flatMap((own, j) => (isBattery(own) === released ? [j] : []))
    const producers = input.producers.filter((own) => isBattery(own) === released)
    const own = { ...input, consumers, producers }
    return { input: own, allocation: divide(own), places }
  }
  // In this pool a battery keeps its share but has no need: its part is lost or shared again, as the key defines.
  const hungry = input.consumers.map((own) =>
    isBattery(own) ? { ...own, values: own.values.map((value) => Math.min(value, 0)) } : own,
  )
  const released = potOf(true, hungry)
  const rest = input.consumers.map((own, i) => {
    const got = released.allocation.allocated[i]
    return { ...own, values: own.values.map((value, at) => (value < 0 ? value : value - Math.max(0, got?.[at] ?? 0))) }
  })
  return [released, potOf(false, rest)]
}

/** The same allocation, with two pools at the steps where a battery charges while one releases. */
export function applyStorageRule(input: AllocationInput, alike: AllocationResult, divide: Divide): AllocationResult {
  const mixed = findMixedSteps(input, alike.excluded)
  if (!mixed) return alike
  const pots = splitIntoPots(input, divide)
  for (const [i, own] of alike.allocated.entries())
    for (const [at, is] of mixed.entries())
      if (is === 1 && (own[at] ?? 0) >= 0)
        own[at] = pots.reduce((sum, { allocation }) => sum + Math.max(0, allocation.allocated[i]?.[at] ?? 0), 0)
  for (const { from, to, key } of buildKeyRanges(input.keys, input.steps))
    for (let at = from; at < to; at++) {
      if (mixed[at] !== 1) continue
      if (key?.method === 'complete') copyShared(alike, pots, at)
      else attributeMixed(input, alike, at)
    }
  return alike
}

/** A complete key defines itself what each producer gave. */
function copyShared(alike: AllocationResult, pots: StoragePot[], at: number): void {
  for (const { allocation, places } of pots)
    for (const [k, j] of places.entries()) {
      const own = alike.shared[j]
      if (own && (own[at] ?? 0) >= 0) own[at] = Math.max(0, allocation.shared[k]?.[at] ?? 0)
    }
}

/** In proportion to what each injected, as usual; but generation gave at least what was stored. */
function attributeMixed({ producers, consumers }: AllocationInput, result: AllocationResult, at: number): void {
  const got = (some: (point: PointCurve) => boolean) =>
    consumers.reduce((sum, own, i) => sum + (some(own) ? Math.max(0, result.allocated[i]?.[at] ?? 0) : 0), 0)
  const injected = Float64Array.from(result.produced, (own) => Math.max(0, own[at] ?? 0))
  const stored = got(isBattery)
  const handed = got(() => true)
  const parts = splitProportionally(handed, injected)
  const generated = parts.reduce((sum, part, j) => sum + (producers[j]?.storage ? 0 : part), 0)
  const bound = generated < stored
  const only = (battery: boolean) => injected.map((own, j) => ((producers[j]?.storage === true) === battery ? own : 0))
  const [direct, back] = bound
    ? [splitProportionally(stored, only(false)), splitProportionally(handed - stored, only(true))]
    : [parts, undefined]
  for (const [j, own] of result.shared.entries()) if ((own[at] ?? 0) >= 0) own[at] = (direct[j] ?? 0) + (back?.[j] ?? 0)
}

function splitProportionally(total: number, weights: Float64Array): Float64Array {
  const parts = new Float64Array(weights.length)
  const whole = weights.reduce((sum, own) => sum + own, 0)
  splitByWeight(total, weights, whole, parts)
  return parts
}

type Margins = Pick<AllocationResult, 'allocated' | 'shared'>

/**
 * What batteries got from generation, and all the rest, each with margins of its own, so that nothing goes from a
 * battery to a battery. Undefined where no step needs it.
 */
export function splitMargins(
  { producers, consumers }: StoragePoints,
  margins: Margins,
): [Margins, Margins] | undefined {
  if (!producers.some(isBattery) || !consumers.some(isBattery)) return undefined
  const [charges, releases] = [consumers.map(isBattery), producers.map(isBattery)]
  const rest = {
    allocated: margins.allocated.map((own) => own.slice()),
    shared: margins.shared.map((own) => own.slice()),
  }
  const blank = (curves: Int32Array[]) => curves.map((own) => new Int32Array(own.length))
  const stored = { allocated: blank(margins.allocated), shared: blank(margins.shared) }
  const move = (from: Int32Array | undefined, to: Int32Array | undefined, at: number, value: number) => {
    if (from && to) [from[at], to[at]] = [(from[at] ?? 0) - value, value]
  }
  for (let at = 0; at < (margins.shared[0]?.length ?? 0); at++) {
    const own = (curves: Int32Array[], is: boolean[], wanted: boolean) =>
      Float64Array.from(curves, (curve, k) => (is[k] === wanted ? Math.max(0, curve[at] ?? 0) : 0))
    const got = own(margins.allocated, charges, true)
    const total = got.reduce((sum, value) => sum + value, 0)
    if (total === 0 || !own(margins.shared, releases, true).some((value) => value > 0)) continue
    const given = splitProportionally(total, own(margins.shared, releases, false))
    for (const [i, value] of got.entries()) if (value > 0) move(rest.allocated[i], stored.allocated[i], at, value)
    for (const [j, value] of given.entries()) if (value > 0) move(rest.shared[j], stored.shared[j], at, value)
  }
  return [stored, rest]
}
