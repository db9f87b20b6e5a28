import { ParticipantLine } from '@voisol/contract/participants'
import { participations as endpoints } from '@voisol/contract/points'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import {
  makeOperation,
  makeParticipant,
  makeParticipation,
  makePoint,
  makeRun,
} from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { transaction } from '../../../db/client.ts'
import { allocationDays, allocationRuns } from '../../../db/schema/index.ts'
import { authenticateSession } from '../../../http/session.ts'
import { enrolParticipants } from './enrol-participants.ts'

const server = useServer()
const PARTICIPATION_DATES = { startsOn: '2025-03-07', endsOn: '2025-05-17' }
const dates = { noticeOn: null, agreementSignedOn: null }

/** Runs that end and begin on the days of a participation, or next to them. */
async function createTestScene() {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const operationId = (await makeOperation(server.db, { companyId, startsOn: '2025-01-09' })).id
  const participantId = (await makeParticipant(server.db, { companyId })).id
  const run = (startsOn: string, endsOn: string, kind = 'definitive') =>
    makeRun(server.db, { companyId, operationId, startsOn, endsOn, kind })
  const runs = [
    await run('2025-03-01', PARTICIPATION_DATES.startsOn),
    await run(PARTICIPATION_DATES.startsOn, '2025-03-08'),
    await run('2025-05-16', PARTICIPATION_DATES.endsOn),
    await run(PARTICIPATION_DATES.endsOn, '2025-05-18'),
  ]
  const ids = runs.map(({ id }) => id)
  const stale = async () => {
    const rows = await server.db.select().from(allocationRuns).where(eq(allocationRuns.companyId, companyId))
    return ids.map((id) => rows.some((row) => row.id === id && row.staleAt !== null))
  }
  const hold = (more: object = {}) =>
    makeParticipation(server.db, { companyId, operationId, participantId, ...PARTICIPATION_DATES, ...more })
  return { admin, companyId, operationId, participantId, stale, hold, run }
}
const BOTH = [false, true, true, false]

test('invalidates the runs of its days on an entry', async () => {
  const { admin, operationId, participantId, stale } = await createTestScene()
  const body = {
    operationId,
    participantId,
    prm: '30001234567890',
    direction: 'consumption',
    ...PARTICIPATION_DATES,
    ...dates,
  }
  expect((await call(server, endpoints.create, { body }, admin)).status).toBe(200)
  expect(await stale()).toEqual(BOTH)
})

test('invalidates the runs of its former days on a removal', async () => {
  const { admin, stale, hold } = await createTestScene()
  const { id } = await hold()
  expect((await call(server, endpoints.remove, { params: { id } }, admin)).status).toBe(200)
  expect(await stale()).toEqual(BOTH)
})

test('invalidates the days given up by an earlier exit or a later entry', async () => {
  const { admin, stale, hold } = await createTestScene()
  const { id } = await hold()
  const save = (body: object) => call(server, endpoints.update, { params: { id }, body: { ...dates, ...body } }, admin)
  expect((await save({ startsOn: PARTICIPATION_DATES.startsOn, endsOn: '2025-05-16', version: 1 })).status).toBe(200)
  expect(await stale()).toEqual([false, false, true, false])
  expect((await save({ startsOn: '2025-03-08', endsOn: '2025-05-16', version: 2 })).status).toBe(200)
  expect(await stale()).toEqual(BOTH)
})

test('invalidates the days given up by each of several exits', async () => {
  const { admin, stale, hold, companyId } = await createTestScene()
  const { id } = await hold()
  const other = await hold({ pointId: (await makePoint(server.db, { companyId })).id, endsOn: null })
  const exit = { change: 'exit', on: '2025-05-16', noticeOn: null }
  const bulk = (ids: string[], dryRun: boolean) =>
    call(server, endpoints.bulk, { body: { ids, dryRun, ...exit } }, admin)
  expect((await bulk([id], true)).status).toBe(200)
  expect(await stale()).toEqual([false, false, false, false])
  expect((await bulk([id], false)).status).toBe(200)
  expect(await stale()).toEqual([false, false, true, false])
  expect((await bulk([other.id], false)).status).toBe(200)
  expect(await stale()).toEqual([false, false, true, true])
})

test('invalidates the runs of imported people’s days', async () => {
  const { admin, operationId, stale } = await createTestScene()
  const line = ParticipantLine.parse({
    name: 'Voisine',
    kind: 'organisation',
    prm: '19125759620017',
    ...PARTICIPATION_DATES,
  })
  const actor = await authenticateSession(server.db, admin.token)
  await transaction(server.db, (tx) => enrolParticipants(tx, actor, operationId, [line], '2025-01-09'))
  expect(await stale()).toEqual(BOTH)
})

test('refuses removal after a definitive run within the days, and not after others', async () => {
  const { admin, companyId, hold, run } = await createTestScene()
  const { id, pointId } = await hold()
  const count = async (runId: string, day: string) =>
    server.db.insert(allocationDays).values({
      companyId,
      runId,
      pointId,
      day,
      allocated: Buffer.alloc(4),
      total: 713,
      local: 709,
      excluded: 0,
    })
  const remove = () => call(server, endpoints.remove, { params: { id } }, admin)
  await count((await run('2025-04-01', '2025-04-08', 'provisional')).id, '2025-04-03')
  await count((await run('2025-02-11', PARTICIPATION_DATES.startsOn)).id, '2025-02-13')
  await count((await run(PARTICIPATION_DATES.endsOn, '2025-06-01')).id, '2025-05-19')
  const definitive = await run('2025-04-01', '2025-04-08')
  await count(definitive.id, '2025-04-03')
  expect((await remove()).status).toBe(409)
  await server.db.execute(sql`delete from allocation_days where run_id = ${definitive.id}`)
  expect((await remove()).status).toBe(200)
})
