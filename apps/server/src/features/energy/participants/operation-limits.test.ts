import { curves } from '@voisol/contract/curves'
import { documents } from '@voisol/contract/documents'
import { participants } from '@voisol/contract/participants'
import { participations, points } from '@voisol/contract/points'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import {
  buildCurveDay,
  makeOperation,
  makeParticipant,
  makeParticipation,
  makePoint,
} from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { storeReadingsAndNotify } from '../curves/store-readings.ts'

const server = useServer()
const MOVED = '2026-03-14'

/** A point that moved from an operation outside the limit into one within it, and a user limited to the second. */
async function createTestScene() {
  const { companyId } = await makeUser(server.db)
  const before = await makeOperation(server.db, { companyId, name: 'Les Tilleuls' })
  const now = await makeOperation(server.db, { companyId, name: 'Les Érables' })
  const person = await makeUser(server.db, { companyId, role: 'admin', operationIds: [now.id] })
  const { id: participantId } = await makeParticipant(server.db, { companyId, name: 'Awa Diallo' })
  const earlier = await makeParticipant(server.db, { companyId, name: 'Paul Nguyen' })
  const { id: pointId } = await makePoint(server.db, { companyId })
  const held = { companyId, pointId }
  const past = await makeParticipation(server.db, {
    ...held,
    operationId: before.id,
    participantId: earlier.id,
    startsOn: '2025-03-01',
    endsOn: MOVED,
  })
  const own = await makeParticipation(server.db, { ...held, operationId: now.id, participantId, startsOn: MOVED })
  const days = ['2026-03-13', MOVED].map((day) => buildCurveDay(pointId, day, 613))
  await storeReadingsAndNotify(server.db, companyId, days, { source: 'api', receivedAt: new Date() })
  return { companyId, person, before, now, past, own, participantId, pointId }
}

test('describes a conflict outside the limit without its names', async () => {
  const { person, own } = await createTestScene()
  const dates = { startsOn: '2026-02-01', endsOn: null, noticeOn: null, agreementSignedOn: null, version: 1 }
  const alone = await call(server, participations.update, { params: { id: own.id }, body: dates }, person)
  expect(alone.body.message + JSON.stringify(alone.body.issues)).toContain('une autre opération')
  expect(alone.text).not.toContain('Tilleuls')
  const body = { ids: [own.id], change: 'entry', on: '2026-02-01', noticeOn: null, dryRun: false }
  const { body: report, text } = await call(server, participations.bulk, { body }, person)
  expect(report).toMatchObject({ changed: 0, refused: 1 })
  expect(text).toContain('une autre opération')
  expect(text).not.toMatch(/Tilleuls|Nguyen/)
})

test('hides participations outside the limit from changes', async () => {
  const { person, past, own } = await createTestScene()
  const body = { ids: [own.id, past.id], change: 'exit', on: '2026-03-20', noticeOn: null, dryRun: false }
  expect((await call(server, participations.bulk, { body }, person)).status).toBe(404)
  const allowed = { ...body, ids: [own.id] }
  expect((await call(server, participations.bulk, { body: allowed }, person)).body).toMatchObject({ changed: 1 })
})

test('shows only the days of a point within the limit', async () => {
  const { person, pointId, participantId, now } = await createTestScene()
  const day = async (wanted: string) =>
    (await call(server, curves.versions, { params: { id: pointId, day: wanted } }, person)).status
  expect([await day('2026-03-13'), await day(MOVED)]).toEqual([404, 200])
  const query = { from: '2026-03-13', to: '2026-03-15' }
  const { body } = await call(server, curves.series, { params: { id: pointId }, query }, person)
  const half = body.watts.length / 2
  expect(body.watts.slice(0, half).every((value: number | null) => value === null)).toBe(true)
  expect(new Set(body.watts.slice(half))).toEqual(new Set([613]))
  const seen = (await call(server, participants.get, { params: { id: participantId } }, person)).body
  expect(seen.operations).toEqual([{ id: now.id, name: 'Les Érables' }])
  expect(seen.participations).toHaveLength(1)
  const point = (await call(server, points.get, { params: { id: pointId } }, person)).body
  expect(point).toMatchObject({ operationName: 'Les Érables', participantName: 'Awa Diallo' })
})

test('hides documents of projects from a limited user', async () => {
  const { person, companyId } = await createTestScene()
  const admin = await makeUser(server.db, { companyId })
  const prices = { local_price: 1213, grid_price: 2016, surplus_price: 407, investment_per_kwc: 120_007 }
  const { rows } = await server.deps.db.$client.query(
    `insert into projects (company_id, name, kind, status, ${Object.keys(prices)})
     values ($1, 'Halle', 'other', 'prospect', ${Object.values(prices)}) returning id`,
    [companyId],
  )
  const query = { ownerKind: 'project', ownerId: rows[0].id }
  expect((await call(server, documents.list, { query }, admin)).status).toBe(200)
  expect((await call(server, documents.list, { query }, person)).status).toBe(404)
})
