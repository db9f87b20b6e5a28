import { participations as endpoints } from '@voisol/contract/points'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation, makeParticipant, makeParticipation, makeRun } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { allocationRuns, participations } from '../../../db/schema/index.ts'
import { recordParticipationChange } from './participation-events.ts'

const server = useServer()
const PARTICIPATION_DATES = { startsOn: '2025-02-03', endsOn: '2025-09-12' }
const TRANSFER_DAY = '2025-05-17'

async function createTestScene(held: Partial<typeof participations.$inferInsert> = PARTICIPATION_DATES) {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const operationId = (await makeOperation(server.db, { companyId, startsOn: '2025-01-09' })).id
  const elsewhere = (await makeOperation(server.db, { companyId, startsOn: '2025-01-09' })).id
  const row = await makeParticipation(server.db, { companyId, operationId, ...held })
  const heir = await makeParticipant(server.db, { companyId })
  const transfer = (on: string, token = admin.token) =>
    call(server, endpoints.transfer, { params: { id: row.id }, body: { participantId: heir.id, on } }, { token })
  const run = (startsOn: string, endsOn: string, of = operationId) =>
    makeRun(server.db, { companyId, operationId: of, startsOn, endsOn, kind: 'definitive' })
  return { companyId, operationId, elsewhere, row, heir, transfer, run }
}
const isStale = async ({ id }: { id: string }) =>
  (await server.db.select().from(allocationRuns).where(eq(allocationRuns.id, id)))[0]?.staleAt !== null

test('invalidates the runs after a change of holder, until the exit', async () => {
  const { transfer, run, elsewhere } = await createTestScene()
  const runs = {
    before: await run('2025-05-01', TRANSFER_DAY),
    first: await run(TRANSFER_DAY, '2025-05-18'),
    last: await run('2025-09-11', PARTICIPATION_DATES.endsOn),
    after: await run(PARTICIPATION_DATES.endsOn, '2025-09-30'),
    elsewhere: await run(TRANSFER_DAY, '2025-05-18', elsewhere),
  }
  expect((await transfer(TRANSFER_DAY)).status).toBe(200)
  const found = await Promise.all(Object.entries(runs).map(async ([name, own]) => [name, await isStale(own)]))
  expect(Object.fromEntries(found)).toEqual({ before: false, first: true, last: true, after: false, elsewhere: false })
})

test('invalidates all later runs without an exit', async () => {
  const { transfer, run } = await createTestScene({ startsOn: PARTICIPATION_DATES.startsOn })
  const [before, late] = [await run(PARTICIPATION_DATES.startsOn, TRANSFER_DAY), await run('2032-03-01', '2032-03-02')]
  expect((await transfer(TRANSFER_DAY)).status).toBe(200)
  expect([await isStale(before), await isStale(late)]).toEqual([false, true])
})

test('requires a day strictly inside the holder’s days, and changes nothing on refusal', async () => {
  const { transfer, run, row, companyId } = await createTestScene()
  const whole = await run('2025-01-09', '2025-12-01')
  for (const on of ['2025-02-02', PARTICIPATION_DATES.startsOn, PARTICIPATION_DATES.endsOn, '2025-09-13'])
    expect(await transfer(on)).toMatchObject({ status: 422, body: { issues: [{ path: 'on' }] } })
  expect(await isStale(whole)).toBe(false)
  expect(await server.db.select().from(participations).where(eq(participations.companyId, companyId))).toEqual([row])
  expect((await transfer('2025-09-11')).status).toBe(200)
})

test('ends one holder on the day the next begins, who keeps the planned exit', async () => {
  const { transfer, row, heir, companyId } = await createTestScene()
  expect((await transfer('2025-02-04')).status).toBe(200)
  const rows = await server.db
    .select()
    .from(participations)
    .where(eq(participations.companyId, companyId))
    .orderBy(participations.startsOn)
  expect(rows.map(({ participantId, startsOn, endsOn }) => [participantId, startsOn, endsOn])).toEqual([
    [row.participantId, '2025-02-03', '2025-02-04'],
    [heir.id, '2025-02-04', '2025-09-12'],
  ])
})

test('invalidates the days between the first and last of several changes', async () => {
  const { run, companyId, operationId } = await createTestScene()
  const [before, between, last, after] = [
    await run('2025-03-02', '2025-03-03'),
    await run('2025-03-11', '2025-03-12'),
    await run('2025-03-18', '2025-03-19'),
    await run('2025-03-19', '2025-03-20'),
  ]
  const told = { companyId, operationId, participationIds: [] }
  await recordParticipationChange(server.db, 'changed', { ...told, changed: [null] })
  expect(await isStale(between)).toBe(false)
  const changed = [{ from: '2025-03-17', to: '2025-03-19' }, null, { from: '2025-03-03', to: '2025-03-05' }]
  await recordParticipationChange(server.db, 'changed', { ...told, changed })
  const found = await Promise.all([before, between, last, after].map(isStale))
  expect(found).toEqual([false, true, true, false])
})
