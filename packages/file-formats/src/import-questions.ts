import { STEPS } from '@voisol/energy/series'
import type { StampPosition } from './curve-file-types.ts'
import {
  type CurveFileChoices,
  type CurveFileQuestion,
  type DetectedConventions,
  READING_UNITS,
  type ReadingCandidate,
  type ReadingUnit,
  STAMP_ZONES,
} from './curve-file-types.ts'
import { computeMeanWatts } from './intervals.ts'
import { MAX_WATTS, type RawCurve, type RawFile } from './raw-curves.ts'
import { buildTimeline, type CurveTimeline, type ReadingConventions } from './timeline.ts'

type QuestionSubject = CurveFileQuestion['about']
type CertaintyFlags = Pick<DetectedConventions, 'unitCertain' | 'stampCertain' | 'zoneCertain' | 'stepCertain'>

/** What is still a guess, in the order in which it is asked. */
export const listUncertainAspects = (detected: CertaintyFlags): QuestionSubject[] =>
  (['unit', 'stamp', 'zone', 'step'] as const).filter((about) => !detected[`${about}Certain`])

type Alternative = { value: string; settled: ReadingConventions }

/** Every way to read what the file does not say, the rest being read as it was settled. */
export function buildQuestions(
  file: RawFile,
  settled: ReadingConventions,
  detected: DetectedConventions,
): CurveFileQuestion[] {
  return listUncertainAspects(detected).map((about) => ({
    about,
    candidates: listAlternatives(about, settled, detected.steps).map((way) => evaluateAlternative(file, way)),
  }))
}

const STAMP_POSITIONS = ['start', 'end'] as const satisfies StampPosition[]

function listAlternatives(about: QuestionSubject, settled: ReadingConventions, steps: number[]): Alternative[] {
  if (about === 'unit') return READING_UNITS.map((unit) => ({ value: unit, settled: { ...settled, unit } }))
  if (about === 'stamp') return STAMP_POSITIONS.map((stamp) => ({ value: stamp, settled: { ...settled, stamp } }))
  if (about === 'zone') return STAMP_ZONES.map((zone) => ({ value: zone, settled: { ...settled, zone } }))
  return listOfferedSteps(steps).map((step) => ({ value: String(step), settled: { ...settled, step } }))
}

/** Where distances differ: as they are, or the finest everywhere. Where too few rows tell: what each may stand for. */
function listOfferedSteps(found: number[]): NonNullable<CurveFileChoices['step']>[] {
  const [finest = 60] = found
  const fits = STEPS.filter((step) => finest % step === 0)
  return found.length > 1 ? ['found', ...fits.filter((step) => step === finest)] : fits
}

function evaluateAlternative(file: RawFile, { value, settled }: Alternative): ReadingCandidate {
  const timelines = new Map<Int32Array, CurveTimeline>()
  const sum: ReadingCandidate = { value, readings: 0, lost: 0, from: Number.POSITIVE_INFINITY, to: 0, series: [] }
  for (const curve of file.curves) {
    const timeline = timelines.get(curve.stamps) ?? buildTimeline(curve, settled)
    timelines.set(curve.stamps, timeline)
    addCurveToCandidate(sum, curve, timeline, curve.unit ?? settled.unit)
  }
  return { ...sum, from: sum.readings > 0 ? sum.from : 0 }
}

function addCurveToCandidate(
  sum: ReadingCandidate,
  curve: RawCurve,
  { order, starts, steps }: CurveTimeline,
  unit: ReadingUnit,
): void {
  let [wattMinutes, peakWatts, kept, end] = [0, 0, 0, Number.NEGATIVE_INFINITY]
  for (let n = 0; n < order.length; n++) {
    const [nano, start, step] = [curve.values[order[n] ?? 0] ?? Number.NaN, starts[n] ?? 0, steps[n] ?? 0]
    if (Number.isNaN(nano) || nano < 0 || step === 0 || start % step !== 0 || start < end) continue
    const watts = computeMeanWatts(nano, unit, step)
    if (watts > MAX_WATTS) continue
    wattMinutes += watts * step
    if (watts > peakWatts) peakWatts = watts
    if (start < sum.from) sum.from = start
    end = start + step
    kept++
  }
  sum.readings += kept
  sum.lost += countValues(curve) - kept
  if (end > sum.to) sum.to = end
  sum.series.push({ energyWh: Math.round(wattMinutes / 60), peakWatts: Math.round(peakWatts) })
}

function countValues({ values, length }: RawCurve): number {
  let count = 0
  for (let at = 0; at < length; at++) if (!Number.isNaN(values[at])) count++
  return count
}
