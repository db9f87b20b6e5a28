import { allocations } from '@voisol/contract/allocations'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeOperationFixture, requestKeyAdoption, runAllocation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { allocationDays } from '../../../db/schema/index.ts'

const server = useServer()
const DAYS = { from: '2025-03-30', to: '2025-04-01' }

/** A finished run, and a function to change a stored step. */
async function createTestScene() {
  const here = await makeOperationFixture(server, { ...DAYS, producers: [613], consumers: [311, 409] })
  await requestKeyAdoption(server, here, { method: 'default' })
  const run = await runAllocation(server, here, DAYS)
  const add = async (pointId: string | undefined, step: number, wattMinutes: number) => {
    const where = and(
      eq(allocationDays.runId, run.id),
      eq(allocationDays.pointId, pointId ?? ''),
      eq(allocationDays.day, DAYS.from),
    )
    const [row] = await server.db.select().from(allocationDays).where(where)
    const allocated = Buffer.from(row?.allocated ?? [])
    allocated.writeInt32LE(allocated.readInt32LE(step * 4) + wattMinutes, step * 4)
    const change = 'update allocation_days set allocated = $1 where run_id = $2 and point_id = $3 and day = $4'
    await server.asOwner(change, [allocated, run.id, pointId, DAYS.from])
  }
  const prove = async () =>
    (await call(server, allocations.proof, { params: { id: run.id } }, { token: here.token })).body
  return { ...here, add, prove }
}

test('verifies a stored run over a day of 23 hours and one of 24', async () => {
  const { prove } = await createTestScene()
  expect(await prove()).toMatchObject({ steps: 188, checked: 188, broken: 0, above: 0, sameHash: true })
})

test('detects a step where consumers received more than was given', async () => {
  const { consumers, add, prove } = await createTestScene()
  await add(consumers[0]?.id, 17, 1)
  expect(await prove()).toMatchObject({ broken: 1, above: 0, sameHash: false })
})

test('detects a consumer above its consumption and a producer above its injection', async () => {
  const { consumers, producers, add, prove } = await createTestScene()
  await add(consumers[0]?.id, 17, 311 * 15)
  await add(consumers[1]?.id, 17, -311 * 15)
  expect(await prove()).toMatchObject({ broken: 0, above: 1 })
  await add(producers[0]?.id, 23, 1)
  await add(consumers[1]?.id, 23, 1)
  expect(await prove()).toMatchObject({ broken: 1, above: 1 })
})
