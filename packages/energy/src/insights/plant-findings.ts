import { computeMedian, computeRobustSpread } from '../forecast/quantile.ts'
import { clamp, type InsightFinding } from './finding.ts'

/** Ranges of hours, [from, to). */
type PlantStopFinding = InsightFinding<'plant-stopped', { stretches: [number, number][]; lostWh: number }>

const MIN_STOPPED_HOURS = 4
const MIN_NEIGHBOUR_OUTPUT = 0.3
const RECENT_HOURS = 72

/**
 * Hourly watts of a plant (−1 unknown), its highest output under a cloudless sky, and the output of its neighbours as a
 * part of theirs: no output for four hours while the others give three tenths, twice in three days.
 */
export function detectPlantStop(
  watts: ArrayLike<number>,
  envelope: ArrayLike<number>,
  neighbours: ArrayLike<number>[],
): PlantStopFinding | null {
  const light = Array.from({ length: watts.length }, (_, hour) => {
    const parts = neighbours.map((plant) => plant[hour] ?? Number.NaN).filter((part) => part >= 0)
    return parts.length > 0 ? computeMedian(parts) : Number.NaN
  })
  const stretches: [number, number][] = []
  for (let hour = 0, from = 0; hour <= watts.length; hour++) {
    if (hour < watts.length && watts[hour] === 0 && (light[hour] ?? 0) > MIN_NEIGHBOUR_OUTPUT) continue
    if (hour - from >= MIN_STOPPED_HOURS) stretches.push([from, hour])
    from = hour + 1
  }
  const last = stretches.filter(([, to]) => to > watts.length - RECENT_HOURS)
  if (last.length < 2) return null
  const hours = last.flatMap(([from, to]) => Array.from({ length: to - from }, (_, i) => from + i))
  const lostWh = hours.reduce((sum, hour) => sum + (light[hour] ?? 0) * (envelope[hour] ?? 0), 0)
  return {
    rule: 'plant-stopped',
    statistic: last.length,
    threshold: 2,
    confidence: 0.95,
    evidence: { stretches: last, lostWh },
  }
}

/** Per day: energy measured and under a cloudless sky, in Wh; NaN where unknown. All plants have the same days. */
export type PlantDays = { energy: ArrayLike<number>; clear: ArrayLike<number> }
type PlantWatchDay = {
  ratio: number
  usual: number
  cusum: number
  drop: number
  expected: number
  days: number
}
type UnderPerformanceFinding = InsightFinding<
  'under-performance',
  { drop: number; lostWh: number; from: number; to: number; measured: number[]; expected: number[] }
>

const ALARM_THRESHOLD = 12
const MIN_DROP = 0.07
const MIN_DAYS = 5
const RECENT_DAYS = 14
const MEMORY_DAYS = 104
const MIN_PAST_DAYS = 30
const MIN_SKY_RATIO = 0.25
const MIN_SPREAD = 0.03

const getRatio = ({ energy, clear }: PlantDays, day: number): number => {
  const [e, x] = [energy[day] ?? Number.NaN, clear[day] ?? Number.NaN]
  return x > 0 && e >= 0 ? e / x : Number.NaN
}

const keepFinite = (values: number[]) => values.filter((value) => Number.isFinite(value))

/**
 * What the sky let through: the median of the neighbours, or for a plant without neighbours what the announced weather
 * let through.
 */
function computeSkyRatio(neighbours: PlantDays[], alone: PlantDays | undefined, day: number): number {
  const ratios = keepFinite(neighbours.map((plant) => getRatio(plant, day)))
  if (ratios.length >= 2) return computeMedian(ratios)
  return alone ? getRatio(alone, day) : Number.NaN
}

/** Day by day: how far the plant is below the others, compared with what is usual for it. */
export function monitorPlant(plant: PlantDays, neighbours: PlantDays[], alone?: PlantDays): PlantWatchDay[] {
  const count = plant.energy.length
  const sky = Array.from({ length: count }, (_, day) => computeSkyRatio(neighbours, alone, day))
  const ratios = sky.map((light, day) =>
    light >= MIN_SKY_RATIO ? Math.log(Math.max(1e-3, getRatio(plant, day)) / light) : Number.NaN,
  )
  let cusum = 0
  return ratios.map((ratio, day) => {
    const past = keepFinite(ratios.slice(Math.max(0, day - MEMORY_DAYS), Math.max(0, day - RECENT_DAYS + 1)))
    const usual = past.length >= MIN_PAST_DAYS ? computeMedian(past) : Number.NaN
    const sigma = Math.max(MIN_SPREAD, past.length >= MIN_PAST_DAYS ? computeRobustSpread(past) : Number.NaN)
    if (Number.isFinite(ratio) && Number.isFinite(usual))
      cusum = Math.max(0, cusum + clamp((usual - ratio) / sigma, -4, 4) - 1)
    const recent = keepFinite(ratios.slice(Math.max(0, day - RECENT_DAYS + 1), day + 1))
    const drop = recent.length > 0 ? 1 - Math.exp(computeMedian(recent) - usual) : Number.NaN
    const expected = (plant.clear[day] ?? Number.NaN) * (sky[day] ?? Number.NaN) * Math.exp(usual)
    return { ratio, usual, cusum, drop, expected, days: recent.length }
  })
}

export const isAlarm = ({ cusum, drop, days }: PlantWatchDay): boolean =>
  cusum > ALARM_THRESHOLD && drop >= MIN_DROP && days >= MIN_DAYS

/** Judged on the last of the given days. */
export function detectUnderPerformance(
  plant: PlantDays,
  neighbours: PlantDays[],
  alone?: PlantDays,
): UnderPerformanceFinding | null {
  const watch = monitorPlant(plant, neighbours, alone)
  const last = watch.at(-1)
  if (!last || !isAlarm(last)) return null
  // The loss began where the cumulated sum last left zero.
  const from = watch.findLastIndex(({ cusum }) => cusum === 0) + 1
  const days = watch
    .slice(from)
    .map(({ expected }, i) => ({ expected, measured: plant.energy[from + i] ?? Number.NaN }))
  const whole = days.filter(({ expected, measured }) => Number.isFinite(expected) && measured >= 0)
  const lostWh = whole.reduce((sum, { expected, measured }) => sum + expected - measured, 0)
  return {
    rule: 'under-performance',
    statistic: last.cusum,
    threshold: ALARM_THRESHOLD,
    confidence: clamp(0.5 + (last.cusum - ALARM_THRESHOLD) / 48, 0.5, 0.95),
    evidence: {
      drop: last.drop,
      lostWh: Math.max(0, lostWh),
      from,
      to: watch.length,
      measured: days.map(({ measured }) => measured),
      expected: days.map(({ expected }) => expected),
    },
  }
}
