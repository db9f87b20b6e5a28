import { dayOf, dayStart, minutesOfDay } from '@voisol/energy/calendar'
import { MISSING, STEPS, type Step } from '@voisol/energy/series'
import type { Curve, CurvePoint } from '../../../adapters/enedis/types.ts'

/** Watts of a whole local day, MISSING where nothing came. */
export type SeriesDay = { day: string; step: Step; watts: Int32Array }

const GRAIN = 5
const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
const startOf = ({ end, minutes }: CurvePoint) => end - minutes
const isSound = (point: CurvePoint) =>
  point.minutes > 0 && point.minutes % GRAIN === 0 && startOf(point) % GRAIN === 0 && point.watts >= 0

/** The coarsest step that every value of the day falls on. */
function stepOf(points: CurvePoint[], origin: number): Step {
  const whole = points.reduce((sum, point) => divisor(divisor(sum, point.minutes), startOf(point) - origin), 60)
  return STEPS.findLast((step) => whole % step === 0) ?? GRAIN
}

/** The days of [from, to) that the curve says something of. */
export function seriesDays({ points }: Curve, from: string, to: string): SeriesDay[] {
  const byDay = Map.groupBy(points.filter(isSound), (point) => dayOf(startOf(point)))
  return [...byDay].flatMap(([day, own]) => {
    if (day < from || day >= to) return []
    const origin = dayStart(day)
    const step = stepOf(own, origin)
    const watts = new Int32Array(minutesOfDay(day) / step).fill(MISSING)
    for (const point of own) {
      const at = (startOf(point) - origin) / step
      watts.fill(point.watts, at, at + point.minutes / step)
    }
    return [{ day, step, watts }]
  })
}

/** What the later one does not say stays as it was. */
export function layOver(earlier: SeriesDay, later: SeriesDay): SeriesDay {
  if (earlier.step !== later.step) return later
  const watts = later.watts.map((value, at) => (value < 0 ? (earlier.watts[at] ?? MISSING) : value))
  return { ...later, watts }
}
