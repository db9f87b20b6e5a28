import { allocations } from '@voisol/contract/allocations'
import { and, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeApiKey } from '../../../../test/factories.ts'
import {
  buildCurveDay,
  makeOperationFixture,
  requestAllocationRun,
  requestKeyAdoption,
  runAllocation,
} from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { allocationRuns, operations } from '../../../db/schema/index.ts'
import { storeReadingsAndNotify } from '../curves/store-readings.ts'
import { findAllocationRun, insertRun } from './allocation-runs.ts'
import { executeRun } from './execute-run.ts'
import { refreshProvisionalRun } from './refresh-provisional-run.ts'
import { insertRunWithoutQueue } from './start-run.ts'

const server = useServer()
const PERIOD = { from: '2025-05-05', to: '2025-05-09' }
const MISSING_DAY = '2025-05-07'
const reason = 'Relevé perdu par le distributeur, qui l’a confirmé.'

async function createTestScene() {
  const here = await makeOperationFixture(server, {
    ...PERIOD,
    producers: [1187],
    consumers: [811, { watts: 419, silent: (day) => day === MISSING_DAY }],
  })
  await requestKeyAdoption(server, here, { method: 'default' })
  const wanted = { companyId: here.companyId, operationId: here.operation.id, ...PERIOD, estimated: false }
  const fill = (day = MISSING_DAY) =>
    storeReadingsAndNotify(server.db, here.companyId, [buildCurveDay(here.consumers[1]?.id ?? '', day, 397)], {
      source: 'api',
      receivedAt: new Date(),
    })
  return { ...here, wanted: { ...wanted, kind: 'definitive' as const }, fill }
}

test('needs no sign-off for complete data, and drops one that is given', async () => {
  const here = await createTestScene()
  await here.fill()
  const run = await runAllocation(server, here, { ...PERIOD, kind: 'definitive', signOff: { reason } })
  expect(run).toMatchObject({ status: 'done', signOff: null, counts: { consumerMissing: 0 } })
})

test('fails a definitive run whose data turn out incomplete when computed', async () => {
  const here = await createTestScene()
  const { id } = await insertRun(server.db, here.wanted, null)
  await executeRun(server.deps, { companyId: here.companyId, runId: id })
  expect(await findAllocationRun(server.db, here.companyId, id)).toMatchObject({
    status: 'failed',
    resultHash: null,
    message: expect.stringContaining(here.consumers[1]?.prm ?? ''),
  })
})

test('refuses a sign-off given for other data', async () => {
  const here = await createTestScene()
  const signOff = { reason, by: 'Mme Morel', at: new Date().toISOString(), missing: ['…'], userId: here.admin.id }
  const { id } = await insertRun(server.db, here.wanted, here.admin.id, {
    signOff: { ...signOff, inputHash: 'another' },
  })
  await executeRun(server.deps, { companyId: here.companyId, runId: id })
  expect(await findAllocationRun(server.db, here.companyId, id)).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('ont changé depuis'),
  })
})

test('accepts distributor estimates up to a twentieth of a meter’s readings', async () => {
  const here = await createTestScene()
  await here.fill()
  const marked = (count: number) => {
    const day = buildCurveDay(here.consumers[0]?.id ?? '', PERIOD.from, 809)
    const marks = Uint8Array.from(day.watts, (_, at) => (at < count ? 3 : 1))
    const source = { source: 'api', receivedAt: new Date() } as const
    return storeReadingsAndNotify(server.db, here.companyId, [{ ...day, marks, quality: 3 }], source)
  }
  // 19 of 384 are less than one in twenty, 20 are more.
  await marked(20)
  const refused = await requestAllocationRun(server, here, { ...PERIOD, kind: 'definitive' })
  expect(refused.body.issues).toMatchObject([{ message: expect.stringContaining('estimations du distributeur') }])
  await marked(19)
  expect(await runAllocation(server, here, { ...PERIOD, kind: 'definitive' })).toMatchObject({ status: 'done' })
})

describe('without a person’s decision', () => {
  test('starts no definitive run from a process or a refresh', async () => {
    const here = await createTestScene()
    await expect(insertRunWithoutQueue(server.db, here.wanted)).rejects.toThrow('décidé par une personne')
    await refreshProvisionalRun(server.db, { ...here.wanted, month: '2025-05-01' })
    const kinds = await server.db
      .select({ kind: allocationRuns.kind })
      .from(allocationRuns)
      .where(eq(allocationRuns.operationId, here.operation.id))
    expect(kinds).toEqual([{ kind: 'provisional' }])
  })

  test('refuses a sign-off by an API key', async () => {
    const here = await createTestScene()
    const token = await makeApiKey(server.db, here.admin, { permissions: ['allocations.run', 'allocations.read'] })
    const body = { ...PERIOD, kind: 'definitive', signOff: { reason } }
    const params = { id: here.operation.id }
    const answer = await call(server, allocations.start, { params, body }, { token })
    expect([answer.status, answer.body.issues?.[0]?.path]).toEqual([422, 'signOff'])
  })
})

describe('operation not in service', () => {
  const set = (id: string, companyId: number, values: Partial<typeof operations.$inferInsert>) =>
    server.db
      .update(operations)
      .set(values)
      .where(and(eq(operations.companyId, companyId), eq(operations.id, id)))

  test.each([
    [{ status: 'draft' }, 'kind', /n’est pas en service \(état\s: brouillon\)/],
    [{ status: 'suspended' }, 'kind', /état\s: suspendue/],
    [{ startsOn: '2025-05-06' }, 'from', /en service depuis le 06\/05\/2025/],
    [{ status: 'closed', startsOn: '2025-01-07', endsOn: '2025-05-08' }, 'to', /a pris fin le 08\/05\/2025/],
  ])('refuses a definitive run for %o', async (values, path, says) => {
    const here = await createTestScene()
    await here.fill()
    await set(here.operation.id, here.companyId, values)
    const { status, body } = await requestAllocationRun(server, here, { ...PERIOD, kind: 'definitive' })
    expect([status, body.issues?.[0]?.path, body.message]).toEqual([422, path, expect.stringMatching(says)])
    expect((await requestAllocationRun(server, here, PERIOD)).status).toBe(200)
  })

  test('allows the last months after the operation has ended', async () => {
    const here = await createTestScene()
    await here.fill()
    await set(here.operation.id, here.companyId, { status: 'closed', startsOn: PERIOD.from, endsOn: PERIOD.to })
    expect((await requestAllocationRun(server, here, { ...PERIOD, kind: 'definitive' })).status).toBe(200)
  })
})
