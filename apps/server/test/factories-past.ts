import { billing } from '@voisol/contract/billing'
import { eq } from 'drizzle-orm'
import { operations, participants } from '../src/db/schema/index.ts'
import { call, type Server } from './client.ts'
import { adoptKey, allocate, makeScene } from './factories-allocations.ts'
import { holderOf, PLACE, priced, sell } from './factories-billing.ts'
import { jobsEnd } from './jobs.ts'

export const PAST_MONTH = '2024-03'
const END = '2024-04-01'
const odd = (a: number, b: number) => (at: number, day: string) => (at * a + Number(day.slice(8)) * b) % 1009

/** A month long gone, from that day on, shared for good and priced: a roof and two homes, of which one may have come later. */
export async function makePast(server: Server, from: string, later = from) {
  const here = await makeScene(server, {
    from,
    to: END,
    producers: [{ watts: odd(37, 113), startsOn: from }],
    consumers: [
      { watts: odd(41, 97), startsOn: from },
      { watts: odd(29, 89), startsOn: later },
    ],
  })
  const { db } = server
  const { companyId, operation } = here
  await db.update(participants).set(PLACE).where(eq(participants.companyId, companyId))
  await db.update(operations).set({ startsOn: from }).where(eq(operations.id, operation.id))
  await adoptKey(server, here, { method: 'default', startsOn: from })
  for (const { id } of here.producers) await sell(server, companyId, await holderOf(db, companyId, id))
  await priced(db, here, [{ id: 'base', price: 1237 }], '2024-01-01')
  const run = await allocate(server, here, { from, to: END, kind: 'definitive' })
  return { ...here, run, params: { operationId: operation.id, month: PAST_MONTH } }
}

/** Closed and invoiced, with all that follows from it. */
export async function billPast(server: Server, { params, token }: Awaited<ReturnType<typeof makePast>>) {
  const closed = await call(server, billing.close, { params, body: { reason: 'Relu avec le syndic.' } }, { token })
  if (closed.status !== 200) throw new Error(closed.text)
  const issued = await call(server, billing.issue, { params }, { token })
  if (issued.status !== 200) throw new Error(issued.text)
  await jobsEnd(server)
}
