import { analytics } from '@voisol/contract/analytics'
import type { Endpoint } from '@voisol/contract/endpoint'
import { dataExports } from '@voisol/contract/exports'
import { forecasts } from '@voisol/contract/forecasts'
import { insights } from '@voisol/contract/insights'
import { ownFeed } from '@voisol/contract/own-feed'
import { plants } from '@voisol/contract/plants'
import { reports } from '@voisol/contract/reports'
import { addDays } from '@voisol/energy/calendar'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { operations, participations, plantAmounts, savedViews } from '../src/db/schema/index.ts'
import { storeReadingsAndNotify } from '../src/features/energy/curves/index.ts'
import { getToday } from '../src/today.ts'
import { SECRET } from './access-makers.ts'
import { call } from './client.ts'
import { makeApiKey, makeUser } from './factories.ts'
import { makeInsight, makeIssuedForecast } from './factories-analytics.ts'
import { buildCurveDay, makeOperation, makeParticipant, makeParticipation, makePoint } from './factories-energy.ts'
import { issueMonthDocuments, makeMonthFixture, withoutSubscribers } from './factories-invoices.ts'
import { waitForJobs } from './jobs.ts'
import { useServer } from './server.ts'

const server = useServer()
const yesterday = addDays(getToday(), -1)
const PERIOD = { from: addDays(getToday(), -30), to: getToday() }
const MOVED = addDays(getToday(), -10)
let admin: Awaited<ReturnType<typeof makeUser>>
let token: string
let own: string
let other: string
let plant: string

/** A plant that was in the operation of the key until ten days ago, and belongs to somebody else in another since. */
async function makeMoved(companyId: number) {
  const { id } = await makePoint(server.db, { companyId, direction: 'production', label: 'Toiture' })
  await makeParticipation(server.db, { companyId, operationId: own, pointId: id, endsOn: MOVED })
  const { id: participantId } = await makeParticipant(server.db, { companyId, name: SECRET })
  await makeParticipation(server.db, { companyId, operationId: other, pointId: id, participantId, startsOn: MOVED })
  await storeReadingsAndNotify(server.db, companyId, [buildCurveDay(id, yesterday, 1713)], {
    source: 'model',
    receivedAt: new Date(),
  })
  return id
}

beforeAll(async () => {
  const { db } = server
  admin = await makeUser(db)
  const { companyId } = admin
  own = (await makeOperation(db, { companyId, status: 'active' })).id
  const month = await makeMonthFixture(db, { companyId })
  await issueMonthDocuments(withoutSubscribers(db), month)
  other = month.operation.id
  await db.update(operations).set({ name: SECRET, status: 'active' }).where(eq(operations.id, other))
  plant = await makeMoved(companyId)
  const permissions = ['analytics.read', 'energy.read', 'insights.read', 'invoices.read', 'reports.read'] as const
  const all = [
    ...permissions,
    'plants.read',
    'exports.read',
    'exports.write',
    'participants.read',
    'curves.read',
  ] as const
  token = await makeApiKey(db, admin, { permissions: [...all], operationIds: [own] })
})

const ask = (e: Endpoint, query: object = {}) => call(server, e, { query }, { token })

describe('a key limited to one operation, on endpoints newer than keys', () => {
  test('a finding names the holder of the meter in its own operation', async () => {
    const { companyId } = admin
    await makeInsight(server.db, { companyId, operationId: own, subjectKind: 'point', subjectId: plant })
    await makeInsight(server.db, { companyId, operationId: other })
    const { text, body } = await ask(insights.list, { state: 'open' })
    expect(body.items).toMatchObject([{ operationId: own, subject: { id: plant } }])
    expect(body.items[0].subject.name).toMatch(/^Toiture, Sacha/)
    expect(text).not.toContain(SECRET)
  })

  test('a forecast of a moved plant belongs to the operation where it was issued', async () => {
    const said = { companyId: admin.companyId, operationId: other, subjectId: plant, issuedOn: yesterday }
    await makeIssuedForecast(server, { ...said, middle: 900 })
    const query = { operationId: own, pointId: plant, kind: 'production', span: 'week' }
    expect((await ask(forecasts.get, query)).body).toEqual({ forecast: null })
    expect((await ask(forecasts.get, { ...query, day: yesterday })).body).toEqual({ forecast: null })
    expect((await ask(forecasts.export, query)).status).toBe(404)
    expect((await ask(forecasts.get, { ...query, operationId: other })).status).toBe(404)
    expect((await ask(forecasts.subjects)).text).not.toContain(SECRET)
    const whole = await call(server, forecasts.get, { query: { ...query, operationId: other } }, admin)
    expect(whole.body.forecast).toMatchObject({ pointName: `Toiture, ${SECRET}`, issuedOn: yesterday })
  })

  test('private views of its creator, and shared views of another operation, are not found', async () => {
    const { companyId, id: createdBy } = admin
    const view = (name: string, search: string, shared: boolean) => ({ companyId, createdBy, name, search, shared })
    await server.db
      .insert(savedViews)
      .values([
        view(SECRET, `operation=${other}`, true),
        view(`${SECRET} à moi`, '', false),
        view('Tous les mois', `by=months&operation=${own}`, true),
      ])
    const { body } = await ask(analytics.views)
    expect(body.items.map(({ name }: { name: string }) => name)).toEqual(['Tous les mois'])
    expect((await call(server, analytics.views, {}, admin)).body.items).toHaveLength(3)
  })

  test('costs and sales of a plant of another operation are not found', async () => {
    const { companyId } = admin
    const { id: pointId } = await makePoint(server.db, { companyId, direction: 'production', label: SECRET })
    await makeParticipation(server.db, { companyId, operationId: other, pointId })
    const amount = { kind: 'maintenance', label: SECRET, amount: 1713, every: 'year', startsOn: '2026-01-01' }
    await server.db.insert(plantAmounts).values({ companyId, pointId, ...amount })
    const { text, body } = await ask(plants.economies, PERIOD)
    expect(text).not.toContain(SECRET)
    expect(body.items.map(({ sales }: { sales: number | null }) => sales).filter(Boolean)).toEqual([])
    expect((await call(server, plants.economies, { query: PERIOD }, admin)).text).toContain(SECRET)
  })

  test('documents of another operation are not counted', async () => {
    const month = { from: '2026-05-01', to: '2026-06-01' }
    expect((await ask(analytics.money, month)).body.months).toMatchObject([{ documents: 0, invoiced: 0 }])
    expect((await call(server, analytics.money, { query: month }, admin)).body.months).toMatchObject([{ documents: 2 }])
    expect((await ask(ownFeed.invoices, { format: 'json' })).body).toEqual([])
    const order = { ...month, operationId: null, participantId: null, format: 'jsonl', dialect: 'rfc' }
    for (const dataSet of ['invoices', 'invoice-lines']) {
      const { body } = await call(server, dataExports.preview, { body: { ...order, dataSet } }, { token })
      expect(body).toMatchObject({ rows: [], expected: 0 })
    }
  })
})

describe('likewise', () => {
  test('readings are exported only for the days in which the meter was in its operation', async () => {
    const order = { ...PERIOD, operationId: null, participantId: null, format: 'jsonl', dialect: 'rfc' }
    const { body } = await call(server, dataExports.preview, { body: { ...order, dataSet: 'readings' } }, { token })
    expect(body.rows).toEqual([])
    const people = { ...order, dataSet: 'participants', from: null, to: null }
    expect((await call(server, dataExports.preview, { body: people }, { token })).text).not.toContain(SECRET)
    const wanted = { ...order, dataSet: 'readings', operationId: other }
    expect((await call(server, dataExports.create, { body: wanted }, { token })).status).toBe(404)
    expect((await ask(ownFeed.figures)).body.year.producedKwh).toBe(0)
  })

  test('exports of its creator, and reports of another operation, are not found', async () => {
    const order = { dataSet: 'operations', operationId: null, participantId: null, from: null, to: null }
    const made = await call(server, dataExports.create, { body: { ...order, format: 'csv', dialect: 'rfc' } }, admin)
    expect(made.status).toBe(200)
    await waitForJobs(server)
    expect((await ask(dataExports.list)).body.items).toEqual([])
    for (const e of [dataExports.get, dataExports.file])
      expect((await call(server, e, { params: { id: made.body.id } }, { token })).status).toBe(404)
    const asked = { template: 'operation-month', subjectId: other, period: getToday().slice(0, 7) }
    const report = await call(server, reports.make, { body: asked }, admin)
    expect(report.status).toBe(200)
    expect((await ask(reports.list)).body.items).toEqual([])
    for (const e of [reports.get, reports.file])
      expect((await call(server, e, { params: { id: report.body.id } }, { token })).status).toBe(404)
    expect((await ask(reports.preview, asked)).status).toBe(404)
    expect((await ask(reports.subjects, { kind: 'participant' })).body.items).toEqual([])
  })

  test('only members of its own operation are compared', async () => {
    const at = { ...PERIOD, operationId: own }
    for (const by of ['operations', 'members', 'groups'])
      expect((await ask(analytics.compare, { ...at, by })).text).not.toContain(SECRET)
    const rows = await server.db.select().from(participations).where(eq(participations.operationId, other))
    expect(rows.length).toBeGreaterThan(2)
  })
})
