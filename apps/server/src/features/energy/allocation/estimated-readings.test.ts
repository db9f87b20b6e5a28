import { allocations, type MemberCompleteness } from '@voisol/contract/allocations'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import {
  buildCurveDay,
  makeOperationFixture,
  requestKeyAdoption,
  runAllocation,
} from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { storeReadingsAndNotify } from '../curves/store-readings.ts'

const server = useServer()
/** Monday to Friday, and the same days of the next week. */
const WEEK = { from: '2025-06-02', to: '2025-06-07' }
const NEXT = { from: '2025-06-09', to: '2025-06-14' }

/** One meter with late data, one without any, two complete ones. */
async function createTestScene() {
  const here = await makeOperationFixture(server, {
    from: WEEK.from,
    to: NEXT.to,
    producers: [2903],
    consumers: [811, { watts: 307, silent: (day) => day < NEXT.from }, { watts: 1, silent: () => true }, 419],
  })
  await requestKeyAdoption(server, here, { method: 'default' })
  const levels = async (id: string) => {
    const { body } = await call(server, allocations.completeness, { params: { id } }, { token: here.token })
    const byId = new Map(body.members.map((member: MemberCompleteness) => [member.pointId, member]))
    return here.consumers.map((point) => byId.get(point.id))
  }
  const proof = async (id: string) =>
    (await call(server, allocations.proof, { params: { id } }, { token: here.token })).body
  return { here, levels, proof }
}

const STEPS = 5 * 96

test('estimates missing days from the meter’s own later days, and counts them as estimates', async () => {
  const { here, levels, proof } = await createTestScene()
  const run = await runAllocation(server, here, { ...WEEK, estimated: true })
  expect(run).toMatchObject({
    estimated: true,
    estimateBy: 'own',
    counts: { estimated: STEPS, consumerMissing: STEPS },
  })
  expect(await levels(run.id)).toMatchObject([
    { measured: STEPS, own: 0, missing: 0 },
    { measured: 0, own: STEPS, profile: 0, missing: 0, gaps: [] },
    { measured: 0, own: 0, missing: STEPS, gaps: [{ ...WEEK, steps: 96 }] },
    { measured: STEPS },
  ])
  expect(run.totals.consumed).toBe((811 + 307 + 419) * 15 * STEPS)
  expect(await proof(run.id)).toMatchObject({ broken: 0, above: 0, sameHash: true })
})

test('estimates a meter without data from the others’ profile on request', async () => {
  const { here, levels, proof } = await createTestScene()
  const run = await runAllocation(server, here, { ...WEEK, estimated: true, estimateBy: 'profile' })
  expect(run).toMatchObject({
    estimateBy: 'profile',
    counts: { estimated: 2 * STEPS, consumerMissing: 0, excluded: 0 },
  })
  const [, late, silent] = await levels(run.id)
  expect([late, silent]).toMatchObject([
    { own: STEPS, profile: 0 },
    { own: 0, profile: STEPS, missing: 0 },
  ])
  // The mean of the two that were measured that week: 615 W.
  expect(run.totals.consumed).toBe((811 + 307 + 419 + 615) * 15 * STEPS)
  expect(await proof(run.id)).toMatchObject({ checked: STEPS, broken: 0, above: 0, sameHash: true })
  const plain = await runAllocation(server, here, { ...WEEK, estimated: true })
  expect(plain.id).not.toBe(run.id)
})

test('counts values corrected or estimated by the distributor apart from measured ones', async () => {
  const { here, levels } = await createTestScene()
  const day = buildCurveDay(here.consumers[0]?.id ?? '', WEEK.from, 811)
  const marks = Uint8Array.from(day.watts, (_, at) => (at < 7 ? 2 : at < 20 ? 3 : 1))
  const source = { source: 'api', receivedAt: new Date() } as const
  await storeReadingsAndNotify(server.db, here.companyId, [{ ...day, marks, quality: 3 }], source)
  const run = await runAllocation(server, here, WEEK)
  expect((await levels(run.id))[0]).toMatchObject({ steps: STEPS, measured: STEPS - 20, corrected: 7, estimated: 13 })
})
