import { participations as endpoints, points as pointEndpoints } from '@voisol/contract/points'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation, makeParticipant, makeParticipation, makePoint } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import {
  allocationDays,
  allocationRuns,
  auditEntries,
  curveDays,
  participations,
  points,
} from '../../../db/schema/index.ts'

const server = useServer()
type User = Awaited<ReturnType<typeof makeUser>>
const dates = { endsOn: null, noticeOn: null, agreementSignedOn: null }

async function makeScene(user?: User) {
  const owner = user ?? (await makeUser(server.db))
  const { companyId } = owner
  const operation = await makeOperation(server.db, { companyId, startsOn: '2025-01-01' })
  const participant = await makeParticipant(server.db, { companyId })
  const point = await makePoint(server.db, { companyId })
  const ids = { operationId: operation.id, participantId: participant.id, pointId: point.id }
  const held = await makeParticipation(server.db, { companyId, ...ids, startsOn: '2025-02-01' })
  return { owner, companyId, operation, participant, point, held }
}
async function makeRun(companyId: number, operationId: string, startsOn: string, endsOn: string) {
  const values = { companyId, operationId, startsOn, endsOn, kind: 'definitive', status: 'done', engineVersion: '1' }
  const [run] = await server.db.insert(allocationRuns).values(values).returning()
  return run?.id ?? ''
}
const staleness = async (id: string) =>
  (await server.db.select().from(allocationRuns).where(eq(allocationRuns.id, id)))[0]?.staleReason

test('adds an entry with a known or new point, and reports errors', async () => {
  const { owner, companyId, operation, participant, point, held } = await makeScene()
  const enter = (more: object) =>
    call(
      server,
      endpoints.create,
      {
        body: {
          operationId: operation.id,
          participantId: participant.id,
          prm: '30 001 234 567 890',
          direction: 'consumption',
          startsOn: '2025-03-01',
          ...more,
        },
      },
      owner,
    )
  const created = await enter({ point: { subscribedVa: 9000 } })
  expect(created.body).toMatchObject({
    point: { prm: '30001234567890', segment: 'C5', subscribedVa: 9000 },
    endsOn: null,
    state: 'active',
  })
  expect((await enter({ prm: '123' })).body.issues[0].message).toContain('quatorze chiffres')
  expect((await enter({ prm: '30001234567891', startsOn: '2024-12-31' })).body.issues[0]).toMatchObject({
    path: 'startsOn',
  })
  expect((await enter({ prm: '30001234567891', endsOn: '2025-03-01' })).body.issues[0]).toMatchObject({
    path: 'endsOn',
  })
  expect((await enter({ prm: '30001234567891', point: { segment: 'P1' } })).body.issues[0]).toMatchObject({
    path: 'point.segment',
  })
  const second = await enter({ prm: point.prm })
  expect(second.status).toBe(409)
  expect(second.body.issues[0].message).toContain('changez plutôt son titulaire')
  expect((await enter({ prm: point.prm, direction: 'production' })).body.point).toMatchObject({ segment: 'P4' })
  const body = { ...dates, startsOn: held.startsOn, endsOn: '2025-03-01', version: 1 }
  expect((await call(server, endpoints.update, { params: { id: held.id }, body }, owner)).status).toBe(200)
  expect((await enter({ prm: point.prm })).status).toBe(200)
  expect(await server.db.select().from(points).where(eq(points.companyId, companyId))).toHaveLength(3)
  const log = await server.db.select().from(auditEntries).where(eq(auditEntries.companyId, companyId))
  expect(log.every(({ detail }) => (detail as { operationId?: string }).operationId === operation.id)).toBe(true)
})

test('rejects ids of another company in a body', async () => {
  const { owner, operation, participant } = await makeScene()
  const theirs = await makeScene()
  const body = { prm: '30001234567890', direction: 'consumption', startsOn: '2025-03-01' }
  for (const ids of [
    { operationId: theirs.operation.id, participantId: participant.id },
    { operationId: operation.id, participantId: theirs.participant.id },
  ])
    expect((await call(server, endpoints.create, { body: { ...body, ...ids } }, owner)).status).toBe(404)
  const bulk = { ids: [theirs.held.id], change: 'exit', on: '2025-06-01', noticeOn: null, dryRun: false }
  expect((await call(server, endpoints.bulk, { body: bulk }, owner)).status).toBe(404)
})

test('refuses to change, transfer or remove a participation of another company', async () => {
  const { owner, participant } = await makeScene()
  const { held } = await makeScene()
  const params = { id: held.id }
  const change = { ...dates, startsOn: '2025-02-03', version: 1 }
  const hand = { participantId: participant.id, on: '2025-06-17' }
  const answers = [
    await call(server, endpoints.remove, { params }, owner),
    await call(server, endpoints.update, { params, body: change }, owner),
    await call(server, endpoints.transfer, { params, body: hand }, owner),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
  const kept = await server.db.select().from(participations).where(eq(participations.id, held.id))
  expect(kept).toEqual([held])
})

test('invalidates a definitive run on a change within it, and refuses to remove a used participation', async () => {
  const { owner, companyId, operation, point, held } = await makeScene()
  const march = await makeRun(companyId, operation.id, '2025-03-01', '2025-04-01')
  const june = await makeRun(companyId, operation.id, '2025-06-01', '2025-07-01')
  const save = (more: object) =>
    call(
      server,
      endpoints.update,
      { params: { id: held.id }, body: { ...dates, startsOn: '2025-02-01', ...more } },
      owner,
    )
  expect((await save({ endsOn: '2025-05-01', version: 1 })).status).toBe(200)
  expect([await staleness(march), await staleness(june)]).toEqual(['', 'Des participations ont changé.'])
  expect((await save({ startsOn: '2025-03-15', endsOn: '2025-05-01', version: 2 })).status).toBe(200)
  expect(await staleness(march)).toBe('Des participations ont changé.')
  expect((await save({ version: 1 })).body.code).toBe('stale')
  await server.db.insert(allocationDays).values({
    companyId,
    runId: march,
    pointId: point.id,
    day: '2025-03-20',
    allocated: Buffer.alloc(4),
    total: 0,
    local: 0,
    excluded: 0,
  })
  const remove = () => call(server, endpoints.remove, { params: { id: held.id } }, owner)
  expect((await remove()).body.message).toContain('répartition définitive')
  await server.db.delete(allocationDays)
  expect((await remove()).status).toBe(200)
})

test('changes the holder on a day without a gap', async () => {
  const { owner, companyId, held } = await makeScene()
  const heir = await makeParticipant(server.db, { companyId, name: 'Héritière' })
  const pass = (body: object) => call(server, endpoints.transfer, { params: { id: held.id }, body }, owner)
  expect((await pass({ participantId: heir.id, on: '2025-02-01' })).body.issues[0].path).toBe('on')
  expect((await pass({ participantId: held.participantId, on: '2025-05-01' })).body.issues[0].path).toBe(
    'participantId',
  )
  expect((await pass({ participantId: heir.id, on: '2025-05-01' })).body).toMatchObject({
    startsOn: '2025-05-01',
    endsOn: null,
    participantName: 'Héritière',
  })
  expect((await pass({ participantId: heir.id, on: '2025-06-01' })).status).toBe(422)
  const rows = await server.db
    .select()
    .from(participations)
    .where(eq(participations.companyId, companyId))
    .orderBy(participations.startsOn)
  expect(rows.map(({ startsOn, endsOn }) => [startsOn, endsOn])).toEqual([
    ['2025-02-01', '2025-05-01'],
    ['2025-05-01', null],
  ])
})

test('applies bulk exits and entries, the same in a dry run that writes nothing', async () => {
  const { owner, companyId, operation, held } = await makeScene()
  const late = await makeParticipation(server.db, { companyId, operationId: operation.id, startsOn: '2025-09-01' })
  const run = async (body: object) =>
    (
      await call(
        server,
        endpoints.bulk,
        { body: { ids: [held.id, late.id], on: '2025-06-01', noticeOn: '2025-05-10', ...body } },
        owner,
      )
    ).body
  const read = () =>
    server.db
      .select()
      .from(participations)
      .where(eq(participations.companyId, companyId))
      .orderBy(participations.startsOn)
  const before = await read()
  const dry = await run({ change: 'exit', dryRun: true })
  expect(dry).toMatchObject({ changed: 1, refused: 1, lines: [{ outcome: 'changed' }, { outcome: 'refused' }] })
  expect(dry.lines[1].message).toBe('La sortie (01/06/2025) doit suivre l’entrée (01/09/2025).')
  expect(await read()).toEqual(before)
  expect(await run({ change: 'exit', dryRun: false })).toEqual(dry)
  expect((await read()).map(({ endsOn, noticeOn }) => [endsOn, noticeOn])).toEqual([
    ['2025-06-01', '2025-05-10'],
    [null, null],
  ])
  const entry = await run({ change: 'entry', on: '2025-03-01', dryRun: false })
  expect(entry).toMatchObject({ changed: 2, refused: 0 })
})

test('shows a client their own points, and readings of their own days', async () => {
  const { owner, companyId, operation, participant, point, held } = await makeScene()
  const client = await makeUser(server.db, { companyId, isAdmin: false })
  const next = await makeParticipant(server.db, { companyId, userId: client.id, name: 'Nouvelle' })
  const neighbour = await makeParticipation(server.db, { companyId, operationId: operation.id })
  const body = { participantId: next.id, on: '2025-06-01' }
  expect((await call(server, endpoints.transfer, { params: { id: held.id }, body }, owner)).status).toBe(200)
  const watts = Buffer.alloc(24 * 4, 0xff)
  watts.fill(0, 0, 10 * 4)
  const reading = { companyId, pointId: point.id, version: 1, step: 60, watts, quality: 1, present: 10, expected: 24 }
  const more = { energy: 0, peak: 0, source: 'test', receivedAt: new Date() }
  await server.db.insert(curveDays).values({ ...reading, ...more, day: '2025-05-30' })
  const list = async (user: User, query = {}) => (await call(server, pointEndpoints.list, { query }, user)).body
  expect(await list(owner, { operationId: operation.id })).toMatchObject({ total: 2 })
  const own = await list(client)
  expect(own).toMatchObject({
    total: 1,
    items: [{ id: point.id, participantName: 'Nouvelle', startsOn: '2025-06-01', receivedUntil: null }],
  })
  const get = (user: User, id: string) => call(server, pointEndpoints.get, { params: { id } }, user)
  expect((await get(owner, point.id)).body.receivedUntil).toBe('2025-05-30T08:00:00Z')
  expect((await get(client, neighbour.pointId)).status).toBe(404)
  expect((await call(server, pointEndpoints.list, { query: { participantId: participant.id } }, client)).status).toBe(
    404,
  )
  expect(JSON.stringify(own)).not.toContain(participant.name)
  expect(await list(client, { operationId: operation.id, q: point.prm })).toMatchObject({ total: 1 })
})

test('changes a point, with a segment that fits its direction', async () => {
  const { owner, point } = await makeScene()
  const form = {
    label: 'Cage A',
    segment: 'C4',
    subscribedVa: 12_000,
    peakWatts: null,
    azimuth: null,
    tilt: null,
    commissionedOn: null,
    pointAddress: '1 rue',
    latitude: 45.1,
    longitude: 4.2,
  }
  const save = (more: object) =>
    call(server, pointEndpoints.update, { params: { id: point.id }, body: { ...form, ...more } }, owner)
  expect((await save({ segment: 'P2', version: 1 })).body.issues[0].path).toBe('segment')
  expect((await save({ version: 1 })).body).toMatchObject({ label: 'Cage A', pointAddress: '1 rue', version: 2 })
  const late = await save({ version: 1, label: 'B' })
  expect(late.body).toMatchObject({ code: 'stale', issues: [{ path: 'label' }] })
})
