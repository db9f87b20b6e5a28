import { addAppliances, addWaterHeater } from './appliances.ts'
import { computePresenceHours, createHabits, type Habits, isAwayOnHoliday } from './habits.ts'
import { type ModelDay, toWallMinute } from './load-day.ts'
import { drawUniform, hashIntegers } from './random.ts'
import { addSteadyDraw, type DayLoad } from './sheet.ts'

export type Heating = { kind: 'none' | 'electric' | 'pump'; wattsPerDegree: number }
export type Dwelling = { usualKwh: number; tankShare: number; heating: Heating; car: boolean }

/** Writes one day of a load; `temperatures` holds one outdoor value per hour since midnight. */
export type DayLoadWriter = (sheet: DayLoad, day: ModelDay, temperatures: Float64Array) => void

const FREE_GAINS = 3.2

function getLightLevel(day: ModelDay, wall: number): number {
  if (wall > day.sunset - 20 || wall < day.sunrise + 10) return 1
  return 0.12
}

function addDailyLife(sheet: DayLoad, day: ModelDay, habits: Habits, seed: number, present: [number, number][]): void {
  const { fridge } = habits
  for (let slot = 0; slot * sheet.width < day.minutes; slot++) {
    const since = slot * sheet.width
    const wall = toWallMinute(day, since)
    const turn = (day.startsAt + since + fridge.phase) / fridge.period
    let watts = habits.standby + (turn - Math.floor(turn) < 0.42 ? fridge.watts : 0)
    for (const [from, to] of present)
      if (wall >= from && wall < to) {
        const busy = drawUniform(seed, 81, day.index, Math.floor(since / 15))
        watts += habits.busy * (60 + 260 * busy * busy) + habits.light * getLightLevel(day, wall)
        if (wall > habits.dinner + 20) watts += habits.screen
      }
    sheet.watts[slot] = (sheet.watts[slot] ?? 0) + watts
  }
}

type Comfort = { set: number; heating: Heating; cooled: boolean }

function computeHeatingWatts({ heating, cooled }: Comfort, need: number, outside: number): number {
  if (heating.kind === 'electric') return Math.max(0, need) * heating.wattsPerDegree
  const performance = Math.max(1.7, Math.min(4.6, 2.5 + 0.08 * outside))
  if (need > 0) return (need * heating.wattsPerDegree) / performance
  return cooled && outside > 25.5 ? (outside - 25.5) * 110 : 0
}

/** Thermostat: lower at night and when nobody is in, a peak on waking, walls that smooth the outdoor swings. */
function addHeating(sheet: DayLoad, day: ModelDay, comfort: Comfort, seed: number, temperatures: Float64Array): void {
  const hours = day.minutes / 60
  let mean = 0
  for (let hour = 0; hour < hours; hour++) mean += (temperatures[hour] ?? 0) / hours
  const heats = day.ordinal < 125 || day.ordinal > 278
  for (let slot = 0; slot * sheet.width < day.minutes; slot++) {
    const since = slot * sheet.width
    const wall = toWallMinute(day, since)
    const outside = 0.45 * (temperatures[Math.floor(since / 60)] ?? mean) + 0.55 * mean
    const night = wall < 345 || wall > 1370 ? 1.8 : wall < 430 ? -1.2 : wall > 560 && wall < 1000 ? 1 : 0
    const need = heats ? comfort.set - FREE_GAINS - night - outside : 0
    const cycling = 0.82 + 0.36 * drawUniform(seed, 83, day.index, Math.floor(since / 15))
    sheet.watts[slot] = (sheet.watts[slot] ?? 0) + computeHeatingWatts(comfort, need, outside) * cycling
  }
}

/** Spreads the charges evenly over the weeks, as a driver with the same journeys would. */
const GOLDEN_RATIO = 0.6180339887

type Car = { watts: number; start: number; share: number; kwh: number }

/** Charges on some nights, and now and then on the afternoon of a week-end. */
function addCar(sheet: DayLoad, day: ModelDay, car: Car, seed: number): void {
  const turn = day.index * GOLDEN_RATIO + 0.3 * drawUniform(seed, 85, day.index) + drawUniform(seed, 88)
  const draw = turn - Math.floor(turn)
  if (draw > car.share) return
  const kwh = car.kwh * (0.4 + 1.2 * drawUniform(seed, 86, day.index))
  const afternoon = day.weekday >= 6 && draw < car.share * 0.45
  const start = afternoon ? 780 + 120 * drawUniform(seed, 87, day.index) : car.start
  addSteadyDraw(sheet, day, start, Math.min(600, (kwh * 60_000) / car.watts), car.watts)
}

/**
 * The days of one dwelling, whose people, machines and holidays follow from the seed. A larger `size` means longer and
 * more frequent runs rather than stronger ones: a charger keeps its 7 kW, a tank its 2 kW.
 */
export function createDwellingWriter(kind: Dwelling, seed: number, size: number): DayLoadWriter {
  const habits = createHabits(seed, size, kind.tankShare)
  const runs = hashIntegers(seed, 90)
  const heating = { ...kind.heating, wattsPerDegree: kind.heating.wattsPerDegree * size }
  const comfort = { set: 18.8 + 2.2 * drawUniform(seed, 91), heating, cooled: drawUniform(seed, 92) < 0.3 }
  const car = {
    watts: drawUniform(seed, 93) < 0.55 ? 7200 : 3650,
    start: drawUniform(seed, 94) < 0.7 ? habits.night : 1120 + 120 * drawUniform(seed, 95),
    share: 0.28 + 0.24 * drawUniform(seed, 96),
    kwh: 16 * size,
  }
  return (sheet, day, temperatures) => {
    const away = isAwayOnHoliday(seed, day)
    const present = away ? [] : computePresenceHours(habits, seed, day)
    const today = { sheet, day, seed: runs, habits, present }
    addDailyLife(sheet, day, habits, runs, present)
    addWaterHeater(today, away)
    if (kind.heating.kind !== 'none') {
      const set = away ? comfort.set - 4.5 : comfort.set
      addHeating(sheet, day, { ...comfort, set }, runs, temperatures)
    }
    if (away) return
    addAppliances(today)
    if (kind.car) addCar(sheet, day, car, runs)
  }
}
