import { addSteadyDraw, type DayLoad, type ModelDay, toWallMinute } from './load-day.ts'
import { drawBell, drawUniform, hashIntegers } from './random.ts'

type Heating = { kind: 'none' | 'electric' | 'pump'; wattsPerDegree: number }
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

type ApplianceDay = { sheet: DayLoad; day: ModelDay; seed: number; habits: Habits; present: [number, number][] }

const drawChance = ({ seed, day }: ApplianceDay, channel: number) => drawUniform(seed, channel, day.index)
const drawAround = ({ seed, day }: ApplianceDay, channel: number, mean: number, deviation: number) =>
  mean + deviation * drawBell(seed, channel, day.index)

const isIn = ({ present }: ApplianceDay, wall: number) => present.some(([from, to]) => wall >= from && wall < to)

function addMeals(d: ApplianceDay): void {
  const { sheet, day, habits } = d
  const first = d.present[0]
  if (first) addSteadyDraw(sheet, day, first[0] + 10 + 15 * drawChance(d, 51), 6 + 8 * drawChance(d, 52), 1100)
  const lunch = drawAround(d, 53, habits.lunch, 18)
  if (isIn(d, lunch))
    addSteadyDraw(sheet, day, lunch, 14 + 24 * drawChance(d, 54), (700 + 900 * drawChance(d, 55)) * habits.cooking)
  const dinner = drawAround(d, 56, habits.dinner, 26)
  if (!isIn(d, dinner + 30)) return
  addSteadyDraw(sheet, day, dinner, 18 + 26 * drawChance(d, 57), (700 + 1100 * drawChance(d, 58)) * habits.cooking)
  if (drawChance(d, 59) < habits.oven) addSteadyDraw(sheet, day, dinner - 15, 45, 1500)
}

function addMachines(d: ApplianceDay): void {
  const { sheet, day, habits } = d
  const rest = day.weekday >= 6 || day.holiday
  if (drawChance(d, 61) < habits.dishwasher) {
    const start = habits.thrifty ? habits.offPeak : drawAround(d, 62, habits.dinner + 75, 25)
    addSteadyDraw(sheet, day, start, 22, 1900)
    addSteadyDraw(sheet, day, start + 22, 45, 120)
    addSteadyDraw(sheet, day, start + 67, 16, 1800)
  }
  if (drawChance(d, 63) >= habits.laundry * (rest ? 1.7 : 0.7)) return
  const start = habits.thrifty ? habits.offPeak : rest ? 560 + 420 * drawChance(d, 64) : habits.back + 25
  if (!habits.thrifty && !isIn(d, start)) return
  addSteadyDraw(sheet, day, start, 24, 1950)
  addSteadyDraw(sheet, day, start + 24, 55, 260)
  if (habits.dryer) addSteadyDraw(sheet, day, start + 95, 75, 1750)
}

function addChores(d: ApplianceDay): void {
  const { sheet, day } = d
  for (let kettle = 0; kettle < 2; kettle++) {
    const at = 500 + 840 * drawChance(d, 66 + kettle)
    if (isIn(d, at)) addSteadyDraw(sheet, day, at, 4 + 5 * drawChance(d, 68), 1800)
  }
  const cleaning = 540 + 560 * drawChance(d, 70)
  if (drawChance(d, 69) < (day.weekday >= 6 ? 0.45 : 0.15) && isIn(d, cleaning))
    addSteadyDraw(sheet, day, cleaning, 28, 1300)
}

/** The tank heats from the off-peak contact on, longer in winter when the mains water is cold. */
function addWaterHeater(d: ApplianceDay, away: boolean): void {
  const { tank, offPeak } = d.habits
  if (tank.watts === 0 || away) return
  const cold = 1 + 0.22 * Math.cos((2 * Math.PI * (d.day.ordinal - 30)) / 365)
  addSteadyDraw(d.sheet, d.day, offPeak, tank.minutes * cold * (0.75 + 0.5 * drawChance(d, 71)), tank.watts)
}

/** Cooking, washing and everything that makes the spikes of a dwelling's curve. */
function addAppliances(d: ApplianceDay): void {
  addMeals(d)
  addMachines(d)
  addChores(d)
}

/** What makes one dwelling differ from the next; times are minutes of the wall clock. */
type Habits = {
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
function createHabits(seed: number, size: number, tankShare: number): Habits {
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
function isAwayOnHoliday(seed: number, { year, ordinal, index, weekday }: ModelDay): boolean {
  const within = (channel: number, chance: number, from: number, spread: number, days: number) => {
    const start = Math.floor(from + spread * drawUniform(seed, channel, year, 1))
    return drawUniform(seed, channel) < chance && ordinal >= start && ordinal < start + days
  }
  if (within(31, 0.78, 184, 48, 7 + Math.floor(14 * drawUniform(seed, 32)))) return true
  if (within(33, 0.22, 354, 3, 7) || within(34, 0.16, 45, 14, 7) || within(35, 0.2, 100, 20, 6)) return true
  return weekday >= 6 && drawUniform(seed, 36, Math.floor((index + 3) / 7)) < 0.07
}

/** When people are awake at home: [from, to) pairs of the wall clock. */
function computePresenceHours(habits: Habits, seed: number, day: ModelDay): [number, number][] {
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
