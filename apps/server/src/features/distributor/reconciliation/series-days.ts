import { dayOf, dayStart, minutesOfDay } from '@voisol/energy/calendar'
import { MISSING, STEPS, type Step } from '@voisol/energy/series'
import type { EnedisCurve, EnedisCurvePoint } from '../../../adapters/enedis/types.ts'

/** Power of a whole local day in watts, MISSING for gaps. */
export type SeriesDay = { day: string; step: Step; watts: Int32Array }

const MIN_STEP_MINUTES = 5
const computeGcd = (a: number, b: number): number => (b === 0 ? a : computeGcd(b, a % b))
const getStart = ({ end, minutes }: EnedisCurvePoint) => end - minutes
const isValidPoint = (point: EnedisCurvePoint) =>
  point.minutes > 0 &&
  point.minutes % MIN_STEP_MINUTES === 0 &&
  getStart(point) % MIN_STEP_MINUTES === 0 &&
  point.watts >= 0

/** The coarsest step that contains every timestamp of the day. */
function findCommonStep(points: EnedisCurvePoint[], origin: number): Step {
  const whole = points.reduce((sum, point) => computeGcd(computeGcd(sum, point.minutes), getStart(point) - origin), 60)
  return STEPS.findLast((step) => whole % step === 0) ?? MIN_STEP_MINUTES
}

/** The days of [from, to) with at least one value. */
export function toSeriesDays({ points }: EnedisCurve, from: string, to: string): SeriesDay[] {
  const byDay = Map.groupBy(points.filter(isValidPoint), (point) => dayOf(getStart(point)))
  return [...byDay].flatMap(([day, own]) => {
    if (day < from || day >= to) return []
    const origin = dayStart(day)
    const step = findCommonStep(own, origin)
    const watts = new Int32Array(minutesOfDay(day) / step).fill(MISSING)
    for (const point of own) {
      const at = (getStart(point) - origin) / step
      watts.fill(point.watts, at, at + point.minutes / step)
    }
    return [{ day, step, watts }]
  })
}

/** Where the later day has a gap, the earlier value stays. */
export function overlayDay(earlier: SeriesDay, later: SeriesDay): SeriesDay {
  if (earlier.step !== later.step) return later
  const watts = later.watts.map((value, at) => (value < 0 ? (earlier.watts[at] ?? MISSING) : value))
  return { ...later, watts }
}
