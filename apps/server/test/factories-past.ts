import { billing } from '@voisol/contract/billing'
import { eq } from 'drizzle-orm'
import { operations, participants } from '../src/db/schema/index.ts'
import { call, type TestServer } from './client.ts'
import { makeOperationFixture, requestKeyAdoption, runAllocation } from './factories-allocations.ts'
import { loadHolderId, makeAdoptedTariff, makeSellerOfParticipant, TEST_ADDRESS } from './factories-billing.ts'
import { waitForJobs } from './jobs.ts'

export const PAST_MONTH = '2024-03'
const PAST_MONTH_END = '2024-04-01'
const createLoadFunction = (a: number, b: number) => (at: number, day: string) =>
  (at * a + Number(day.slice(8)) * b) % 1009

/**
 * A past month from that day on, with a definitive run and prices: a roof and two homes, one of which may have joined
 * later.
 */
export async function makePastMonth(server: TestServer, from: string, later = from) {
  const here = await makeOperationFixture(server, {
    from,
    to: PAST_MONTH_END,
    producers: [{ watts: createLoadFunction(37, 113), startsOn: from }],
    consumers: [
      { watts: createLoadFunction(41, 97), startsOn: from },
      { watts: createLoadFunction(29, 89), startsOn: later },
    ],
  })
  const { db } = server
  const { companyId, operation } = here
  await db.update(participants).set(TEST_ADDRESS).where(eq(participants.companyId, companyId))
  await db.update(operations).set({ startsOn: from }).where(eq(operations.id, operation.id))
  await requestKeyAdoption(server, here, { method: 'default', startsOn: from })
  for (const { id } of here.producers)
    await makeSellerOfParticipant(server, companyId, await loadHolderId(db, companyId, id))
  await makeAdoptedTariff(db, here, [{ id: 'base', price: 1237 }], '2024-01-01')
  const run = await runAllocation(server, here, { from, to: PAST_MONTH_END, kind: 'definitive' })
  return { ...here, run, params: { operationId: operation.id, month: PAST_MONTH } }
}

/** Closed and invoiced, with all follow-up jobs. */
export async function billPastMonth(server: TestServer, { params, token }: Awaited<ReturnType<typeof makePastMonth>>) {
  const closed = await call(server, billing.close, { params, body: { reason: 'Relu avec le syndic.' } }, { token })
  if (closed.status !== 200) throw new Error(closed.text)
  const issued = await call(server, billing.issue, { params }, { token })
  if (issued.status !== 200) throw new Error(issued.text)
  await waitForJobs(server)
}
