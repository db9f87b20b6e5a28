import type { Habits } from './habits.ts'
import type { LoadDay } from './load-day.ts'
import { bell, uniform } from './random.ts'
import { addRun, type Sheet } from './sheet.ts'

type Day = { sheet: Sheet; day: LoadDay; seed: number; habits: Habits; present: [number, number][] }

const chance = ({ seed, day }: Day, channel: number) => uniform(seed, channel, day.index)
const about = ({ seed, day }: Day, channel: number, mean: number, deviation: number) =>
  mean + deviation * bell(seed, channel, day.index)

const isIn = ({ present }: Day, wall: number) => present.some(([from, to]) => wall >= from && wall < to)

function meals(d: Day): void {
  const { sheet, day, habits } = d
  const first = d.present[0]
  if (first) addRun(sheet, day, first[0] + 10 + 15 * chance(d, 51), 6 + 8 * chance(d, 52), 1100)
  const lunch = about(d, 53, habits.lunch, 18)
  if (isIn(d, lunch)) addRun(sheet, day, lunch, 14 + 24 * chance(d, 54), (700 + 900 * chance(d, 55)) * habits.cooking)
  const dinner = about(d, 56, habits.dinner, 26)
  if (!isIn(d, dinner + 30)) return
  addRun(sheet, day, dinner, 18 + 26 * chance(d, 57), (700 + 1100 * chance(d, 58)) * habits.cooking)
  if (chance(d, 59) < habits.oven) addRun(sheet, day, dinner - 15, 45, 1500)
}

function machines(d: Day): void {
  const { sheet, day, habits } = d
  const rest = day.weekday >= 6 || day.holiday
  if (chance(d, 61) < habits.dishwasher) {
    const start = habits.thrifty ? habits.offPeak : about(d, 62, habits.dinner + 75, 25)
    addRun(sheet, day, start, 22, 1900)
    addRun(sheet, day, start + 22, 45, 120)
    addRun(sheet, day, start + 67, 16, 1800)
  }
  if (chance(d, 63) >= habits.laundry * (rest ? 1.7 : 0.7)) return
  const start = habits.thrifty ? habits.offPeak : rest ? 560 + 420 * chance(d, 64) : habits.back + 25
  if (!habits.thrifty && !isIn(d, start)) return
  addRun(sheet, day, start, 24, 1950)
  addRun(sheet, day, start + 24, 55, 260)
  if (habits.dryer) addRun(sheet, day, start + 95, 75, 1750)
}

function chores(d: Day): void {
  const { sheet, day } = d
  for (let kettle = 0; kettle < 2; kettle++) {
    const at = 500 + 840 * chance(d, 66 + kettle)
    if (isIn(d, at)) addRun(sheet, day, at, 4 + 5 * chance(d, 68), 1800)
  }
  const cleaning = 540 + 560 * chance(d, 70)
  if (chance(d, 69) < (day.weekday >= 6 ? 0.45 : 0.15) && isIn(d, cleaning)) addRun(sheet, day, cleaning, 28, 1300)
}

/** The tank heats from the off-peak contact on, longer in winter when the mains water is cold. */
export function addTank(d: Day, away: boolean): void {
  const { tank, offPeak } = d.habits
  if (tank.watts === 0 || away) return
  const cold = 1 + 0.22 * Math.cos((2 * Math.PI * (d.day.ordinal - 30)) / 365)
  addRun(d.sheet, d.day, offPeak, tank.minutes * cold * (0.75 + 0.5 * chance(d, 71)), tank.watts)
}

/** Cooking, washing and everything that makes the spikes of a dwelling's curve. */
export function addAppliances(d: Day): void {
  meals(d)
  machines(d)
  chores(d)
}
