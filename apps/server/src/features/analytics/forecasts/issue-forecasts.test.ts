import { forecasts } from '@voisol/contract/forecasts'
import { addDays } from '@voisol/energy/calendar'
import { asc, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeForecastFixture } from '../../../../test/factories-analytics.ts'
import { makeOperation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { issuedForecasts } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'
import { issueForecasts } from './issue-forecasts.ts'

const server = useServer()
let scene: Awaited<ReturnType<typeof makeForecastFixture>>
const whens = [{ day: getToday(), issuedAt: new Date() }]
const issue = () => issueForecasts(server.deps, { companyId: scene.companyId, operationId: scene.operationId, whens })
const rows = () =>
  server.db
    .select()
    .from(issuedForecasts)
    .where(eq(issuedForecasts.companyId, scene.companyId))
    .orderBy(asc(issuedForecasts.subjectId), asc(issuedForecasts.kind), asc(issuedForecasts.span))

beforeAll(async () => {
  scene = await makeForecastFixture(server, 24)
  await issue()
})

const get = (query: object, token = scene.token) =>
  call(server, forecasts.get, { query: { operationId: scene.operationId, ...query } as never }, { token }) // any query of it

test('forecasts an operation and its plant for two days by step and seven by hour', async () => {
  const all = await rows()
  const named = all.map(({ subjectId, kind, span, step, steps }) => {
    const who = subjectId === scene.operationId ? 'operation' : subjectId === scene.plant.id ? 'plant' : 'other'
    return `${who} ${kind} ${span} ${step} ${(steps * step) / 60 > 100 ? 'days' : 'hours'}`
  })
  const spans = (kind: string) => [`${kind} near 30 hours`, `${kind} week 60 days`]
  expect(named.sort()).toEqual([
    ...['consumption', 'production', 'surplus'].flatMap((kind) => spans(`operation ${kind}`)),
    ...spans('plant production'),
  ])
  expect(new Set(all.map(({ recipe }) => recipe))).toEqual(new Set(['appris', 'profil']))
})

test('changes nothing when issued again the same day, or by anybody', async () => {
  const before = await rows()
  await issue()
  expect(await rows()).toEqual(before)
  await expect(server.db.update(issuedForecasts).set({ version: 2 })).rejects.toThrow()
  await expect(server.db.delete(issuedForecasts)).rejects.toThrow()
  expect(await rows()).toEqual(before)
})

test('reads it as issued: ordered levels, last day’s persistence, no weather', async () => {
  const { body } = await get({ span: 'week' })
  const { forecast } = body
  expect(forecast).toMatchObject({
    issuedOn: getToday(),
    weatherSteps: 0,
    weatherIssuedAt: null,
    rebuilt: false,
    silent: 0,
  })
  for (const [at, middle] of forecast.middle.entries()) {
    expect(forecast.low[at]).toBeLessThanOrEqual(middle)
    expect(forecast.high[at]).toBeGreaterThanOrEqual(middle)
  }
  expect(forecast.persistence.slice(0, 24)).toEqual(forecast.before.slice(-24))
  expect(forecast.measured.every((value: number | null) => value === null)).toBe(true)
  expect(forecast.days).toHaveLength(7)
  expect(forecast.days[0]).toMatchObject({ day: getToday(), band: 'bounds', measured: null })
})

test('forecasts a steady household exactly, and no consumption for a plant', async () => {
  const { body } = await get({ kind: 'consumption' })
  expect(new Set(body.forecast.middle)).toEqual(new Set([400]))
  const none = await get({ kind: 'consumption', pointId: scene.plant.id })
  expect(none.body).toEqual({ forecast: null })
})

test('returns none for another day, and hides it from another organisation', async () => {
  expect((await get({ day: addDays(getToday(), -1) })).body).toEqual({ forecast: null })
  const stranger = await makeUser(server.db)
  expect((await get({}, stranger.token)).status).toBe(404)
  expect((await get({ pointId: scene.home.id })).status).toBe(404)
  const elsewhere = await makeOperation(server.db, { companyId: scene.companyId })
  expect((await get({ operationId: elsewhere.id, pointId: scene.plant.id })).status).toBe(404)
  const limited = await makeUser(server.db, {
    companyId: scene.companyId,
    permissions: ['energy.read'],
    operationIds: [elsewhere.id],
  })
  expect((await get({}, limited.token)).status).toBe(404)
  const { body } = await call(server, forecasts.subjects, {}, { token: limited.token })
  expect(body.items.map(({ operationId }: { operationId: string }) => operationId)).toEqual([elsewhere.id])
})

test('names the plants, and exports each step', async () => {
  const { body } = await call(server, forecasts.subjects, {}, scene)
  const own = body.items.find(({ operationId }: { operationId: string }) => operationId === scene.operationId)
  expect(own).toMatchObject({ firstDay: getToday(), lastDay: getToday() })
  expect(own.plants).toMatchObject([{ pointId: scene.plant.id, lastDay: getToday() }])
  const query = { operationId: scene.operationId, span: 'week' as const }
  const { text } = await call(server, forecasts.export, { query }, scene)
  expect(text.trim().split(/\r?\n/).length).toBeGreaterThan(7 * 23)
  expect(text).toContain('Persistance (W)')
})
