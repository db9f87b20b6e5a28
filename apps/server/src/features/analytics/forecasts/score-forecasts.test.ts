import { forecasts } from '@voisol/contract/forecasts'
import { addDays, listDays } from '@voisol/energy/calendar'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeIssuedForecast } from '../../../../test/factories-analytics.ts'
import { buildCurveDay, makeMeter, makeOperation } from '../../../../test/factories-energy.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { forecastScores } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'
import { storeReadingsAndNotify } from '../../energy/curves/index.ts'
import { scoreForecasts } from './score-forecasts.ts'

const server = useServer()
const PEAK = 9000

/** A plant with constant 1 000 W, forecast at 1 090 each morning of the last `days`, with persistence at 1 180. */
async function createTestScene(days: number) {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const operation = await makeOperation(server.db, { companyId, latitude: 45.73, longitude: 4.83, stepMinutes: 30 })
  const own = { companyId, operationId: operation.id }
  const plant = await makeMeter(server.db, { ...own, direction: 'production', segment: 'P4', peakWatts: PEAK })
  const first = addDays(getToday(), -days)
  for (const issuedOn of listDays(first, getToday()))
    await makeIssuedForecast(server, { ...own, issuedOn, middle: 1090, persistence: 1180 })
  const store = (rows: Parameters<typeof storeReadingsAndNotify>[2]) =>
    storeReadingsAndNotify(server.db, companyId, rows, { source: 'model', receivedAt: new Date() })
  await store(listDays(first, getToday()).map((day) => buildCurveDay(plant.id, day, 1000, 30)))
  const score = () => scoreForecasts(server.deps, { ...own, from: first, to: getToday() })
  await score()
  const accuracy = async () =>
    (await call(server, forecasts.accuracy, { query: { operationId: operation.id } }, admin)).body
  const scores = () => server.db.select().from(forecastScores).where(eq(forecastScores.companyId, companyId))
  return { ...own, token: admin.token, plant, first, store, score, accuracy, scores }
}

test('relates errors to peak power on the same hours as persistence', async () => {
  const { accuracy } = await createTestScene(16)
  const { items, least } = await accuracy()
  expect(least).toBe(14)
  expect(items[0]).toMatchObject({ horizon: 'first', days: 16 })
  expect(items[0].nMAE).toBeCloseTo(90 / PEAK, 9)
  expect(items[0].persistence).toBeCloseTo(180 / PEAK, 9)
  expect(items[0].bias).toBeCloseTo(90 / PEAK, 9)
  expect(items[0].skill).toBeCloseTo(0.5, 9)
  // The band of 990 to 1 190 always contains 1 000.
  expect([items[0].coverage, items[0].openCoverage]).toEqual([1, 1])
  expect(items[1]).toMatchObject({ horizon: 'second', days: 15 })
  expect(items[2]).toMatchObject({ horizon: 'later', days: 14 })
})

test('shows nothing under fourteen scored days', async () => {
  const { accuracy } = await createTestScene(13)
  const { items } = await accuracy()
  const nothing = { nMAE: null, skill: null, coverage: null, openCoverage: null, pinball: null }
  expect(items[0]).toMatchObject({ days: 13, ...nothing })
})

test('excludes hours that were estimated or not measured by one plant', async () => {
  const { plant, companyId, operationId, store, score, scores } = await createTestScene(2)
  const yesterday = addDays(getToday(), -1)
  const own = async () => (await scores()).find((row) => row.day === yesterday && row.lead === 0)
  const day = buildCurveDay(plant.id, yesterday, 1000, 30)
  await store([{ ...day, marks: Uint8Array.from(day.watts, (_, at) => (at < 6 ? 3 : 1)) }])
  await score()
  const hours = day.watts.length / 2
  expect(await own()).toMatchObject({ steps: hours - 3, expected: hours, measured: 1000 * (hours - 3) })
  const second = { companyId, operationId, direction: 'production', segment: 'P4', peakWatts: PEAK }
  const other = await makeMeter(server.db, { ...second, startsOn: yesterday })
  await store([buildCurveDay(other.id, yesterday, (at) => (at < 20 ? -1 : 500), 30)])
  await score()
  expect(await own()).toMatchObject({ steps: hours - 10, measured: 1500 * (hours - 10) })
})

test('scores the same forecast again after a corrected curve', async () => {
  const { plant, store, scores } = await createTestScene(3)
  const yesterday = addDays(getToday(), -1)
  await store([buildCurveDay(plant.id, yesterday, 1090, 30)])
  await waitUntil(async () => {
    const rows = await scores()
    return rows.filter(({ day }) => day === yesterday).every(({ absolute }) => absolute === 0)
  })
  await waitForJobs(server)
  const before = (await scores()).filter(({ day }) => day < yesterday)
  expect(before.length).toBeGreaterThan(0)
  expect(before.every(({ absolute, steps }) => absolute === 90 * steps)).toBe(true)
})

test('stores the score of the newest curves once for two simultaneous runs', async () => {
  const { plant, store, score, scores } = await createTestScene(5)
  const yesterday = addDays(getToday(), -1)
  const before = (await scores()).length
  await Promise.all([score(), store([buildCurveDay(plant.id, yesterday, 1090, 30)]).then(score), score(), score()])
  await waitForJobs(server)
  const after = await scores()
  expect(after).toHaveLength(before)
  expect(after.filter(({ day }) => day === yesterday).every(({ absolute }) => absolute === 0)).toBe(true)
})

test('shows measurements beside a day’s forecast, with its band once enough days are known', async () => {
  const { token, operationId } = await createTestScene(18)
  const day = addDays(getToday(), -2)
  const query = { operationId, span: 'week' as const, day }
  const { body } = await call(server, forecasts.get, { query }, { token })
  const [first, last] = [body.forecast.days[0], body.forecast.days[6]]
  expect(first).toMatchObject({ day, band: 'measured', measured: 24_000, middle: 26_160, low: 24_000, high: 26_160 })
  expect(last).toMatchObject({ measured: null, band: 'bounds' })
})
