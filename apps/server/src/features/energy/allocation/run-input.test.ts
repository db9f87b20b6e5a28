import { addDays } from '@voisol/energy/calendar'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { buildCurveDay, makeOperationFixture, requestKeyAdoption } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { participations } from '../../../db/schema/index.ts'
import { storeReadingsAndNotify } from '../curves/store-readings.ts'
import { computeInputHash, loadRunInput } from './run-input.ts'

const server = useServer()
const DAYS = { from: '2025-05-07', to: '2025-05-12' }

async function createTestScene() {
  const here = await makeOperationFixture(server, { ...DAYS, producers: [1_187], consumers: [613] })
  await requestKeyAdoption(server, here, { method: 'default' })
  const pointId = here.consumers[0]?.id ?? ''
  const wanted = { companyId: here.companyId, operationId: here.operation.id, ...DAYS }
  const hash = async (estimated: boolean) =>
    computeInputHash(server.db, await loadRunInput(server.db, { ...wanted, estimated }))
  const read = (day: string) =>
    storeReadingsAndNotify(server.db, here.companyId, [buildCurveDay(pointId, day, 97)], {
      source: 'api',
      receivedAt: new Date(),
    })
  const set = (values: Partial<typeof participations.$inferInsert>) =>
    server.db.update(participations).set(values).where(eq(participations.pointId, pointId))
  return { hash, read, set }
}

test.each([
  [true, addDays(DAYS.from, -28), true],
  [true, addDays(DAYS.from, -29), false],
  [false, addDays(DAYS.from, -1), false],
  [false, DAYS.from, true],
  [false, addDays(DAYS.to, -1), true],
  [false, DAYS.to, false],
  [true, addDays(DAYS.to, 27), true],
  [true, addDays(DAYS.to, 28), false],
])('with estimates %s and readings of %s: counting them is %s', async (estimated, day, counts) => {
  const { hash, read } = await createTestScene()
  const before = await hash(estimated)
  await read(day)
  expect((await hash(estimated)) !== before).toBe(counts)
})

test('includes an entry or exit within the period in the hash, and none outside it', async () => {
  const { hash, set } = await createTestScene()
  const before = await hash(false)
  await set({ startsOn: '2025-04-11', endsOn: DAYS.to })
  expect(await hash(false)).toBe(before)
  await set({ endsOn: addDays(DAYS.to, -1) })
  const left = await hash(false)
  expect(left).not.toBe(before)
  await set({ startsOn: addDays(DAYS.from, 1) })
  expect(await hash(false)).not.toBe(left)
})

test('computes runs with and without estimates separately', async () => {
  const { hash } = await createTestScene()
  expect(await hash(true)).not.toBe(await hash(false))
})
