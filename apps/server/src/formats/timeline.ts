import { formatFrenchClock, NBSP } from '../french.ts'
import { NONEXISTENT_TIME } from './instants.ts'
import type { RawCurve } from './raw.ts'
import type { ParseReport } from './report.ts'
import { type ReadingConventions, toCurveInstants } from './settle.ts'
import { inferSteps } from './steps.ts'
import { QUALITY_CODES } from './types.ts'

/** The intervals of a curve in the order of time; `order` names the reading of each. */
export type CurveTimeline = { instants: Int32Array; order: Uint32Array; starts: Int32Array; steps: Uint8Array }

// Start and index of a reading in one double: minutes stay below 2^27 until 2099, readings below 2^23.
const INDEX = 2 ** 23

/** Puts readings in order of time, drops those of an hour that does not exist, and gives each its interval. */
export function buildTimeline(curve: RawCurve, settled: ReadingConventions): CurveTimeline {
  const instants = toCurveInstants(curve, settled)
  const order = getReadingOrder(instants, curve)
  const steps = getReadingSteps(curve, instants, order, settled)
  const starts = new Int32Array(order.length)
  for (let n = 0; n < order.length; n++)
    starts[n] = (instants[order[n] ?? 0] ?? 0) - (settled.stamp === 'end' ? (steps[n] ?? 0) : 0)
  return { instants, order, starts, steps }
}

function getReadingOrder(instants: Int32Array, curve: RawCurve): Uint32Array {
  let last = NONEXISTENT_TIME
  let sorted = true
  for (let at = 0; at < instants.length && sorted; at++) {
    const instant = instants[at] ?? 0
    sorted = instant > last
    last = instant
  }
  const order = new Uint32Array(instants.length)
  for (let at = 0; at < order.length; at++) order[at] = at
  return sorted ? order : sortReadingOrder(instants, curve)
}

function sortReadingOrder(instants: Int32Array, curve: RawCurve): Uint32Array {
  const keys = new Float64Array(instants.length)
  let n = 0
  for (let at = 0; at < instants.length; at++) {
    const instant = instants[at] ?? 0
    if (instant !== NONEXISTENT_TIME) keys[n++] = instant * INDEX + at
  }
  const sorted = keys.subarray(0, n).sort()
  const order = new Uint32Array(n)
  for (let at = 0; at < n; at++) order[at] = (sorted[at] ?? 0) % INDEX
  // The columns of a table share their order: none of them decides for the others.
  if (curve.quality) putBestFirst(order, instants, curve)
  return order
}

/** Of two readings of one instant the corrected one goes first, and an empty one last: the first is the one kept. */
function putBestFirst(order: Uint32Array, instants: Int32Array, { values, quality }: RawCurve): void {
  const rank = (at: number) => (Number.isNaN(values[at]) ? 0 : quality?.[at] === QUALITY_CODES.corrected ? 2 : 1)
  for (let n = 1; n < order.length; n++) {
    const [before, now] = [order[n - 1] ?? 0, order[n] ?? 0]
    if (instants[before] !== instants[now] || rank(now) <= rank(before)) continue
    order[n - 1] = now
    order[n] = before
  }
}

function getReadingSteps(
  { steps }: RawCurve,
  instants: Int32Array,
  order: Uint32Array,
  settled: ReadingConventions,
): Uint8Array {
  const given = new Uint8Array(order.length)
  if (steps) for (let n = 0; n < order.length; n++) given[n] = steps[order[n] ?? 0] ?? 0
  if (!given.includes(0)) return given
  const { step } = settled
  if (step && step !== 'found') return given.map((known) => known || step)
  const place = new Uint32Array(order.length)
  const distinct = new Int32Array(order.length)
  let count = 0
  for (let n = 0; n < order.length; n++) {
    const instant = instants[order[n] ?? 0] ?? 0
    if (n === 0 || instant !== distinct[count - 1]) distinct[count++] = instant
    place[n] = count - 1
  }
  const inferred = inferSteps(distinct.subarray(0, count), settled.stamp)
  for (let n = 0; n < given.length; n++) if (given[n] === 0) given[n] = inferred[place[n] ?? 0] ?? 0
  return given
}

export function reportNonexistentTimes(curve: RawCurve, { instants, order }: CurveTimeline, report: ParseReport): void {
  if (order.length === instants.length) return
  for (let at = 0; at < instants.length; at++) {
    // Empty rows in the hour that spring skips are how some exports write that it does not exist.
    if (instants[at] !== NONEXISTENT_TIME || Number.isNaN(curve.values[at])) continue
    const line = curve.lines[at] ?? 0
    const minute = curve.stamps[at] ?? 0
    report.error(
      'unreadable',
      line,
      curve.prm,
      () =>
        `Ligne ${line}${NBSP}: ${formatFrenchClock(((minute % 1440) + 1440) % 1440)} n’existe pas ce jour-là, celui du passage à l’heure d’été.`,
    )
  }
}
