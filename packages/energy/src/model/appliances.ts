import type { Habits } from './habits.ts'
import type { ModelDay } from './load-day.ts'
import { drawBell, drawUniform } from './random.ts'
import { addSteadyDraw, type DayLoad } from './sheet.ts'

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
export function addWaterHeater(d: ApplianceDay, away: boolean): void {
  const { tank, offPeak } = d.habits
  if (tank.watts === 0 || away) return
  const cold = 1 + 0.22 * Math.cos((2 * Math.PI * (d.day.ordinal - 30)) / 365)
  addSteadyDraw(d.sheet, d.day, offPeak, tank.minutes * cold * (0.75 + 0.5 * drawChance(d, 71)), tank.watts)
}

/** Cooking, washing and everything that makes the spikes of a dwelling's curve. */
export function addAppliances(d: ApplianceDay): void {
  addMeals(d)
  addMachines(d)
  addChores(d)
}
