import { STEPS, type Step } from '@voisol/energy/series'
import { meanWatts } from './exact.ts'
import { MAX_WATTS } from './limits.ts'
import type { RawCurve, RawFile } from './raw.ts'
import type { Settled } from './settle.ts'
import { type Timeline, timelineOf } from './timeline.ts'
import { type Candidate, type Choices, type Detected, type Question, STAMPS, UNITS, type Unit, ZONES } from './types.ts'

type About = Question['about']
type Asked = Pick<Detected, 'unitCertain' | 'stampCertain' | 'zoneCertain' | 'stepCertain'>

/** What is still a guess, in the order in which it is asked. */
export const openQuestions = (detected: Asked): About[] =>
  (['unit', 'stamp', 'zone', 'step'] as const).filter((about) => !detected[`${about}Certain`])

type Way = { value: string; settled: Settled }

/** Every way to read what the file does not say, the rest being read as it was settled. */
export function questionsOf(file: RawFile, settled: Settled, detected: Detected): Question[] {
  return openQuestions(detected).map((about) => ({
    about,
    candidates: waysOf(about, settled, detected.steps).map((way) => measure(file, way)),
  }))
}

function waysOf(about: About, settled: Settled, steps: number[]): Way[] {
  if (about === 'unit') return UNITS.map((unit) => ({ value: unit, settled: { ...settled, unit } }))
  if (about === 'stamp') return STAMPS.map((stamp) => ({ value: stamp, settled: { ...settled, stamp } }))
  if (about === 'zone') return ZONES.map((zone) => ({ value: zone, settled: { ...settled, zone } }))
  return stepsOffered(steps).map((step) => ({ value: String(step), settled: { ...settled, step } }))
}

/** Where distances differ: as they are, or the finest everywhere. Where too few rows tell: what each may stand for. */
function stepsOffered(found: number[]): NonNullable<Choices['step']>[] {
  const [finest = 60] = found
  const fits = STEPS.filter((step) => finest % step === 0)
  return found.length > 1 ? ['found', ...fits.filter((step) => step === finest)] : fits
}

function measure(file: RawFile, { value, settled }: Way): Candidate {
  const timelines = new Map<Int32Array, Timeline>()
  const sum: Candidate = { value, readings: 0, lost: 0, from: Number.POSITIVE_INFINITY, to: 0, series: [] }
  for (const curve of file.curves) {
    const timeline = timelines.get(curve.stamps) ?? timelineOf(curve, settled)
    timelines.set(curve.stamps, timeline)
    addCurve(sum, curve, timeline, curve.unit ?? settled.unit)
  }
  return { ...sum, from: sum.readings > 0 ? sum.from : 0 }
}

function addCurve(sum: Candidate, curve: RawCurve, { order, starts, steps }: Timeline, unit: Unit): void {
  let [wattMinutes, peakWatts, kept, end] = [0, 0, 0, Number.NEGATIVE_INFINITY]
  for (let n = 0; n < order.length; n++) {
    const [nano, start, step] = [curve.values[order[n] ?? 0] ?? Number.NaN, starts[n] ?? 0, steps[n] ?? 0]
    if (Number.isNaN(nano) || nano < 0 || step === 0 || start % step !== 0 || start < end) continue
    const watts = meanWatts(nano, unit, step)
    if (watts > MAX_WATTS) continue
    wattMinutes += watts * step
    if (watts > peakWatts) peakWatts = watts
    if (start < sum.from) sum.from = start
    end = start + step
    kept++
  }
  sum.readings += kept
  sum.lost += valuesOf(curve) - kept
  if (end > sum.to) sum.to = end
  sum.series.push({ energyWh: Math.round(wattMinutes / 60), peakWatts: Math.round(peakWatts) })
}

function valuesOf({ values, length }: RawCurve): number {
  let count = 0
  for (let at = 0; at < length; at++) if (!Number.isNaN(values[at])) count++
  return count
}

/** As many distances as this make a step sure. */
const SUSTAINED = 4

/** Told by the file, or the same between all of its rows and often enough; else it is a guess. */
export function isStepCertain(file: RawFile, { step }: Settled, steps: number[]): boolean {
  if (step) return true
  if (file.format === 'hdm' || file.format === 'customer-csv') return true
  if (file.curves.every(({ steps: given, length }) => given?.subarray(0, length).every((one) => one > 0))) return true
  const [only] = steps
  return steps.length === 1 && file.curves.some((curve) => paceOf(curve, only as Step) >= SUSTAINED) // steps hold steps
}

/** How many rows follow the one before by this step. */
function paceOf({ stamps, length }: RawCurve, step: Step): number {
  let count = 0
  for (let at = 1; at < length && count < SUSTAINED; at++)
    if (Math.abs((stamps[at] ?? 0) - (stamps[at - 1] ?? 0)) === step) count++
  return count
}
