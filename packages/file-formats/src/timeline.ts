import { isKnownStep } from './cell-values.ts'
import {
  type CurveFileChoices,
  type DetectedConventions,
  QUALITY_CODES,
  type StampPosition,
  type StampZone,
} from './curve-file-types.ts'
import { formatFrenchClock, NBSP } from './french.ts'
import { getConstantOffset, NONEXISTENT_TIME, toInstants, toSummerInstant, toWinterInstant } from './instants.ts'
import type { ParseReport, RawCurve } from './raw-curves.ts'

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

/** `step` is what the person chose for the readings whose step the file does not say. */
export type ReadingConventions = Pick<
  DetectedConventions,
  'unit' | 'unitCertain' | 'stamp' | 'stampCertain' | 'zone' | 'zoneCertain'
> &
  Pick<CurveFileChoices, 'step'>

function toCurveInstants(curve: RawCurve, settled: ReadingConventions): Int32Array {
  const zone: StampZone = settled.zone === 'offset' ? 'UTC' : settled.zone
  return toInstants(curve.stamps, curve.length, zone, settled.stamp)
}

const DAY = 1440
type ZoneEvidence = { zone: StampZone; proof: boolean } | null

/**
 * What the wall clock itself says on the two days that change it. An hour that comes twice in autumn, or that is skipped in
 * spring between rows that otherwise follow each other, is Paris and nothing else. A time inside the hour that spring skips
 * is not the clock of Paris, or a row too many: which of the two, only a person knows.
 */
export function findZoneEvidence(local: Int32Array, length: number): ZoneEvidence {
  let inHole = 0
  let proofs = 0
  const seen = new Set<number>()
  let day = NONEXISTENT_TIME
  let constant = true
  let pace = 0
  for (let at = 0; at < length; at++) {
    const minute = local[at] ?? 0
    const before = local[at - 1] ?? minute
    const earlier = pace
    if (at > 0 && skipsSpringHour(before, minute, earlier)) proofs++
    pace = Math.abs(minute - before)
    const dayOfMinute = Math.floor(minute / DAY)
    if (dayOfMinute !== day) {
      day = dayOfMinute
      constant = getConstantOffset(day) !== null
    }
    if (constant) continue
    const [summer, winter] = [toSummerInstant(minute), toWinterInstant(minute)]
    if (summer === NONEXISTENT_TIME && winter === NONEXISTENT_TIME && minute % 60 !== 0) inHole++
    if (summer !== NONEXISTENT_TIME && winter !== NONEXISTENT_TIME) {
      // One row written twice is no second passage, unless rows are an hour apart.
      if (seen.has(minute) && (minute !== before || earlier === 60)) proofs++
      seen.add(minute)
    }
  }
  if (inHole > 0) return { zone: 'UTC', proof: false }
  return proofs > 0 ? { zone: 'Europe/Paris', proof: true } : null
}

/** Whether two rows that follow each other leave out the hour of spring, and nothing but it. */
function skipsSpringHour(before: number, now: number, pace: number): boolean {
  if (!isKnownStep(pace) || Math.abs(now - before) !== pace + 60) return false
  const [first, last] = before < now ? [before, now] : [now, before]
  const hour = Math.floor(first / DAY) * DAY + 120
  const none = (minute: number) =>
    toSummerInstant(minute) === NONEXISTENT_TIME && toWinterInstant(minute) === NONEXISTENT_TIME
  return first <= hour && last >= hour + 60 && none(hour + 30)
}

/** Fewer rows than this at a coarser step, beside finer ones, are rows that lack, not a change of step. */
const MIN_SUSTAINED_ROWS = 4

type StepRun = { from: number; to: number; step: number }

/** Stretches of equal distance between stamps; 0 where the distance is no step. */
function listRuns(instants: Int32Array): StepRun[] {
  const runs: StepRun[] = []
  for (let at = 1; at < instants.length; at++) {
    const distance = (instants[at] ?? 0) - (instants[at - 1] ?? 0)
    const step = isKnownStep(distance) ? distance : 0
    const last = runs.at(-1)
    if (last && last.step === step) last.to = at
    else runs.push({ from: at, to: at, step })
  }
  return runs
}

function refineRuns(runs: StepRun[]): void {
  const before = runs.map((run) => ({ ...run }))
  for (const [n, run] of runs.entries()) {
    if (run.step === 0 || run.to - run.from + 1 >= MIN_SUSTAINED_ROWS) continue
    const finer = [before[n - 1]?.step ?? 0, before[n + 1]?.step ?? 0].filter((step) => step > 0 && step < run.step)
    const fit = finer.find((step) => run.step % step === 0)
    if (fit) run.step = fit
  }
}

/**
 * The step of each reading, from ascending distinct stamps: the distance to the stamp before when stamps close the interval,
 * to the stamp after when they open it, and that of the neighbours beside a hole.
 */
export function inferSteps(instants: Int32Array, stamp: StampPosition): Uint8Array {
  const steps = new Uint8Array(instants.length)
  const runs = listRuns(instants)
  refineRuns(runs)
  // The distance number n lies between the readings n - 1 and n.
  const shift = stamp === 'end' ? 0 : -1
  for (const { from, to, step } of runs) if (step > 0) steps.fill(step, from + shift, to + shift + 1)
  const forward = stamp === 'end'
  fillHoles(steps, forward)
  fillHoles(steps, !forward)
  return steps
}

/** Gives a reading without a step that of the next one (`ahead`) or of the one before. */
function fillHoles(steps: Uint8Array, ahead: boolean): void {
  for (let n = 1; n < steps.length; n++) {
    const at = ahead ? steps.length - 1 - n : n
    if (steps[at] === 0) steps[at] = steps[at + (ahead ? 1 : -1)] ?? 0
  }
}
