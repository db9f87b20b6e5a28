import { median, spread } from '../forecast/quantile.ts'
import { between, type Finding } from './finding.ts'

/** Per day: energy measured and under a cloudless sky, in Wh; NaN where unknown. All plants share their days. */
export type PlantDays = { energy: ArrayLike<number>; clear: ArrayLike<number> }
export type Watch = { ratio: number; usual: number; cusum: number; drop: number; expected: number; days: number }
export type UnderPerformance = Finding<
  'under-performance',
  { drop: number; lostWh: number; from: number; to: number; measured: number[]; expected: number[] }
>

const ALARM = 12
const LEAST_DROP = 0.07
const LEAST_DAYS = 5
const RECENT = 14
const MEMORY = 104
const ENOUGH = 30
const CLEAR_ENOUGH = 0.25
const LEAST_SPREAD = 0.03

const ratioOf = ({ energy, clear }: PlantDays, day: number): number => {
  const [e, x] = [energy[day] ?? Number.NaN, clear[day] ?? Number.NaN]
  return x > 0 && e >= 0 ? e / x : Number.NaN
}

const known = (values: number[]) => values.filter((value) => Number.isFinite(value))

/** What the sky let through: the neighbours' median, or for a plant alone what the announced weather let through. */
function skyRatio(neighbours: PlantDays[], alone: PlantDays | undefined, day: number): number {
  const ratios = known(neighbours.map((plant) => ratioOf(plant, day)))
  if (ratios.length >= 2) return median(ratios)
  return alone ? ratioOf(alone, day) : Number.NaN
}

/** Day by day: how far the plant is below the others, beside what is usual for it. */
export function watchPlant(plant: PlantDays, neighbours: PlantDays[], alone?: PlantDays): Watch[] {
  const count = plant.energy.length
  const sky = Array.from({ length: count }, (_, day) => skyRatio(neighbours, alone, day))
  const ratios = sky.map((light, day) =>
    light >= CLEAR_ENOUGH ? Math.log(Math.max(1e-3, ratioOf(plant, day)) / light) : Number.NaN,
  )
  let cusum = 0
  return ratios.map((ratio, day) => {
    const past = known(ratios.slice(Math.max(0, day - MEMORY), Math.max(0, day - RECENT + 1)))
    const usual = past.length >= ENOUGH ? median(past) : Number.NaN
    const sigma = Math.max(LEAST_SPREAD, past.length >= ENOUGH ? spread(past) : Number.NaN)
    if (Number.isFinite(ratio) && Number.isFinite(usual))
      cusum = Math.max(0, cusum + between((usual - ratio) / sigma, -4, 4) - 1)
    const recent = known(ratios.slice(Math.max(0, day - RECENT + 1), day + 1))
    const drop = recent.length > 0 ? 1 - Math.exp(median(recent) - usual) : Number.NaN
    const expected = (plant.clear[day] ?? Number.NaN) * (sky[day] ?? Number.NaN) * Math.exp(usual)
    return { ratio, usual, cusum, drop, expected, days: recent.length }
  })
}

export const isAlarm = ({ cusum, drop, days }: Watch): boolean =>
  cusum > ALARM && drop >= LEAST_DROP && days >= LEAST_DAYS

/** On the last of the given days. */
export function underPerformance(
  plant: PlantDays,
  neighbours: PlantDays[],
  alone?: PlantDays,
): UnderPerformance | null {
  const watch = watchPlant(plant, neighbours, alone)
  const last = watch.at(-1)
  if (!last || !isAlarm(last)) return null
  // It began where the sum last left zero.
  const from = watch.findLastIndex(({ cusum }) => cusum === 0) + 1
  const days = watch
    .slice(from)
    .map(({ expected }, i) => ({ expected, measured: plant.energy[from + i] ?? Number.NaN }))
  const whole = days.filter(({ expected, measured }) => Number.isFinite(expected) && measured >= 0)
  const lostWh = whole.reduce((sum, { expected, measured }) => sum + expected - measured, 0)
  return {
    rule: 'under-performance',
    statistic: last.cusum,
    threshold: ALARM,
    confidence: between(0.5 + (last.cusum - ALARM) / 48, 0.5, 0.95),
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
