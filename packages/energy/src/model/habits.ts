import type { ModelDay } from './load-day.ts'
import { drawBell, drawUniform } from './random.ts'

/** What makes one dwelling differ from the next; times are minutes of the wall clock. */
export type Habits = {
  standby: number
  fridge: { watts: number; period: number; phase: number }
  wake: number
  leave: number
  back: number
  sleep: number
  /** Somebody stays at home on working days. */
  home: boolean
  lunch: number
  dinner: number
  /** Below 1 where the hob burns gas. */
  cooking: number
  /** Small devices in use, against those of a usual dwelling. */
  busy: number
  light: number
  screen: number
  /** Hot-water tank on the off-peak contact; 0 watts where water is heated by gas or a district network. */
  tank: { watts: number; minutes: number }
  offPeak: number
  /** Hours of cheap rate at night, for a car that is away at midday. */
  night: number
  dishwasher: number
  laundry: number
  dryer: boolean
  oven: number
  /** Laundry and dishes are done in off-peak hours. */
  thrifty: boolean
}

/** Starts of the cheap hours, which distributors now also set at midday. */
const OFF_PEAK = [1320, 1350, 1380, 1410, 30, 90, 745, 835] as const
const NIGHT = 1350

/** `size` is 1 for a usual dwelling, less for a studio, more for a large family. */
export function createHabits(seed: number, size: number, tankShare: number): Habits {
  const even = (channel: number, low: number, high: number) => low + (high - low) * drawUniform(seed, channel)
  const about = (channel: number, mean: number, deviation: number) => mean + deviation * drawBell(seed, channel)
  const wake = about(1, 410, 32)
  const tank = drawUniform(seed, 2) < tankShare
  // Meters switch a few minutes apart, so that a street does not start at once.
  const offPeak = (OFF_PEAK[Math.floor(drawUniform(seed, 16) * OFF_PEAK.length)] ?? NIGHT) + even(23, 0, 14)
  return {
    standby: even(3, 75, 215) * size,
    fridge: { watts: even(4, 80, 160), period: even(5, 50, 105), phase: even(6, 0, 100) },
    wake,
    leave: wake + even(7, 55, 110),
    back: about(8, 1070, 55),
    sleep: about(9, 1385, 35),
    home: drawUniform(seed, 10) < 0.5,
    lunch: about(22, 738, 22),
    dinner: about(11, 1165, 36),
    cooking: drawUniform(seed, 24) < 0.35 ? 0.35 : 1,
    busy: size,
    light: even(12, 50, 170) * size,
    screen: even(13, 60, 190),
    tank: { watts: tank ? (drawUniform(seed, 14) < 0.5 ? 2200 : 1650) : 0, minutes: even(15, 55, 125) * size },
    offPeak,
    night: offPeak > 120 && offPeak < 1200 ? NIGHT : offPeak,
    dishwasher: even(17, 0.15, 0.75) * size,
    laundry: even(18, 0.18, 0.5) * size,
    dryer: drawUniform(seed, 19) < 0.32,
    oven: even(20, 0.1, 0.35) * size,
    thrifty: tank && drawUniform(seed, 21) < 0.4,
  }
}

/** Holidays away: mostly in July and August, for some at Christmas or in February, and a week-end now and then. */
export function isAwayOnHoliday(seed: number, { year, ordinal, index, weekday }: ModelDay): boolean {
  const within = (channel: number, chance: number, from: number, spread: number, days: number) => {
    const start = Math.floor(from + spread * drawUniform(seed, channel, year, 1))
    return drawUniform(seed, channel) < chance && ordinal >= start && ordinal < start + days
  }
  if (within(31, 0.78, 184, 48, 7 + Math.floor(14 * drawUniform(seed, 32)))) return true
  if (within(33, 0.22, 354, 3, 7) || within(34, 0.16, 45, 14, 7) || within(35, 0.2, 100, 20, 6)) return true
  return weekday >= 6 && drawUniform(seed, 36, Math.floor((index + 3) / 7)) < 0.07
}

/** When people are awake at home: [from, to) pairs of the wall clock. */
export function computePresenceHours(habits: Habits, seed: number, day: ModelDay): [number, number][] {
  const rest = day.weekday >= 6 || day.holiday
  const jitter = 14 * drawBell(seed, 41, day.index)
  const sleep = habits.sleep + jitter * 1.5 + (day.weekday === 5 || day.weekday === 6 ? 35 : 0)
  const wake = habits.wake + jitter + (rest ? 85 + 30 * drawBell(seed, 42, day.index) : 0)
  if (rest) {
    if (drawUniform(seed, 43, day.index) > 0.55) return [[wake, sleep]]
    const out = 820 + 60 * drawBell(seed, 44, day.index)
    return [
      [wake, out],
      [out + 100 + 150 * drawUniform(seed, 45, day.index), sleep],
    ]
  }
  const stays = habits.home ? 0.88 : day.vacation ? 0.3 : day.weekday === 3 || day.weekday === 5 ? 0.2 : 0.07
  if (drawUniform(seed, 46, day.index) < stays) return [[wake, sleep]]
  return [
    [wake, habits.leave + jitter],
    [habits.back + 24 * drawBell(seed, 47, day.index), sleep],
  ]
}
