import { addDays, dayStart, listDays } from '@voisol/energy/calendar'
import { computePvWatts } from '@voisol/energy/model/pv'
import type { Period } from './period.ts'
import { maxDay, minDay } from './pieces.ts'
import type { Member } from './scope.ts'
import type { ReadingSum } from './sums.ts'

/** Watt-minutes of one day; `clear` is the model's value under a clear sky. */
export type PlantDay = { day: string; energy: number; clear: number; whole: boolean }
export type Plant = { member: Member; days: PlantDay[]; lastKnown: string | null }

const DEFAULT_AZIMUTH = 180
const DEFAULT_TILT = 30
/** Days of its own history that a single plant is compared with. */
const OWN_HISTORY_DAYS = 30
/** Below this part of a clear day nothing can be concluded: snow, or a wrong model. */
const MIN_CLEAR_SKY_RATIO = 0.001

function computeClearSkyEnergies({ peakWatts, azimuth, tilt, latitude, longitude }: Member, days: string[]): number[] {
  const [first, last] = [days[0], days.at(-1)]
  if (!peakWatts || latitude === null || longitude === null || !first || !last) return days.map(() => 0)
  const origin = dayStart(first)
  const plant = {
    peakWatts,
    azimuth: azimuth ?? DEFAULT_AZIMUTH,
    tilt: tilt ?? DEFAULT_TILT,
    place: { latitude, longitude },
  }
  const watts = computePvWatts(plant, origin, (dayStart(addDays(last, 1)) - origin) / 60, 60)
  return days.map((day) => {
    const at = (dayStart(day) - origin) / 60
    const until = (dayStart(addDays(day, 1)) - origin) / 60
    return watts.subarray(at, until).reduce((sum, value) => sum + value, 0) * 60
  })
}

/** The days of a plant over the period, with earlier days for comparison. */
export function buildPlant(member: Member, period: Period, read: Map<string, ReadingSum> | undefined): Plant {
  const lo = maxDay(member.startsOn, addDays(period.from, -OWN_HISTORY_DAYS))
  const hi = minDay(member.endsOn ?? period.to, period.to)
  const days = lo < hi ? listDays(lo, hi) : []
  const clear = computeClearSkyEnergies(member, days)
  const known = days.flatMap((day, at): PlantDay[] => {
    const own = read?.get(day)
    if (!own?.present) return []
    return [{ day, energy: own.energy, clear: clear[at] ?? 0, whole: !own.holes }]
  })
  return { member, days: known, lastKnown: known.at(-1)?.day ?? null }
}

export const extendWithHistory = ({ from, to }: Period): Period => ({ from: addDays(from, -OWN_HISTORY_DAYS), to })

export const isComparableDay = ({ whole, clear, energy }: PlantDay) =>
  whole && clear > 0 && energy > clear * MIN_CLEAR_SKY_RATIO

export function computeMedian(values: number[]): number | null {
  if (!values.length) return null
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const high = sorted[middle] ?? 0
  return sorted.length % 2 ? high : (high + (sorted[middle - 1] ?? 0)) / 2
}

export type PlantExpectation = { alone: boolean; of: (day: PlantDay) => number | null }

/**
 * Expected from the median of the other plants that day, under the same sky; for a single plant, from its own last good
 * days.
 */
export function buildExpectation(plant: Plant, others: Plant[]): PlantExpectation {
  const byDay = new Map<string, number[]>()
  for (const { days } of others)
    for (const day of days.filter(isComparableDay))
      byDay.set(day.day, [...(byDay.get(day.day) ?? []), day.energy / day.clear])
  if (byDay.size)
    return {
      alone: false,
      of: ({ day, clear }) => {
        const ratio = computeMedian(byDay.get(day) ?? [])
        return ratio === null || !clear ? null : clear * ratio
      },
    }
  const own = plant.days.filter(isComparableDay).slice(-OWN_HISTORY_DAYS)
  const ratio = computeMedian(own.map(({ energy, clear }) => energy / clear))
  return { alone: true, of: ({ clear }) => (ratio === null || !clear ? null : clear * ratio) }
}

/** Produced and expected energy over the whole days that can be compared. */
export function compareWithExpectation(
  days: PlantDay[],
  { of }: PlantExpectation,
): { produced: number; expected: number } | null {
  let produced = 0
  let expected = 0
  for (const day of days) {
    const due = day.whole ? of(day) : null
    if (due === null) continue
    produced += day.energy
    expected += due
  }
  return expected > 0 ? { produced, expected } : null
}
