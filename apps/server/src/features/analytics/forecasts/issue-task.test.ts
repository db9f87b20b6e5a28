import { addDays, dayStart } from '@voisol/energy/calendar'
import { computePvWatts } from '@voisol/energy/model/pv'
import { createSky } from '@voisol/energy/model/weather'
import { expect, test } from 'vitest'
import issueForecastsTask from './issue-task.ts'
import type { IssueInput } from './task-types.ts'

const LYON = { latitude: 45.73, longitude: 4.83 }
const PLANT = { peakWatts: 9000, azimuth: 180, tilt: 30, place: LYON }
const FIRST = '2025-05-01'
const DAY = '2025-05-20'

/** Production and a steady load until `last`; from the issue day each is multiplied by `times`. */
function buildInput(last: string, times = 1): IssueInput {
  const startsAt = dayStart(FIRST)
  const scaled = (step: 30 | 60) => {
    const watts = computePvWatts(PLANT, startsAt, (dayStart(last) - startsAt) / step, step, createSky('essai', LYON))
    const later = (dayStart(DAY) - startsAt) / step
    return { startsAt, step, watts: watts.map((value, at) => (at < later ? value : value * times)) }
  }
  const fine = scaled(30)
  return {
    place: LYON,
    peakWatts: 9000,
    step: 30,
    hours: scaled(60),
    fine,
    load: { ...fine, watts: fine.watts.map((_, at) => 400 + (at % 48)) },
    runs: [],
    model: null,
    fitOn: DAY,
    said: [],
    bands: [],
    asks: [{ day: DAY, issuedAt: dayStart(DAY) + 310, run: null }],
  }
}

test('ignores readings after the issue day', async () => {
  const [then, now] = [
    await issueForecastsTask(buildInput(DAY)),
    await issueForecastsTask(buildInput(addDays(DAY, 9), 3)),
  ]
  expect(then.value.issues).toHaveLength(6)
  expect(now.value).toEqual(then.value)
})

test('ignores weather announced later', async () => {
  // It covers measured days as well.
  const run = { startsAt: dayStart(FIRST), step: 60 as const, values: { ghi: new Float64Array(24 * 27).fill(300) } }
  const issuedAt = dayStart(DAY)
  const learnt = async (runs: IssueInput['runs']) =>
    (await issueForecastsTask({ ...buildInput(DAY), runs })).value.model
  const [without, at, before] = [
    await learnt([]),
    await learnt([{ ...run, issuedAt }]),
    await learnt([{ ...run, issuedAt: issuedAt - 1 }]),
  ]
  expect(at).toEqual(without)
  expect(before).not.toEqual(without)
})

test('gives the certainty of a surplus after fourteen measured days of forecasts', async () => {
  const input = { ...buildInput(addDays(DAY, 20)), step: 60 as const }
  const asks = Array.from({ length: 17 }, (_, at) => {
    const day = addDays(DAY, at)
    return { day, issuedAt: dayStart(day) + 310, run: null }
  })
  const hourly = { fine: input.hours, load: { ...input.hours, watts: input.hours.watts.map(() => 400) } }
  const { value } = await issueForecastsTask({ ...input, ...hourly, asks })
  const known = value.issues
    .filter(({ kind, span }) => kind === 'surplus' && span === 'week')
    .map(({ chance }) => chance?.some((part) => part !== 255))
  expect(known).toEqual(asks.map((_, at) => at >= 14))
})
