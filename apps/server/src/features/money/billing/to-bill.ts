import type { BillingMonth, ToBill } from '@voisol/contract/billing'
import { and, eq, sql } from 'drizzle-orm'
import { findOperation, type OperationRow, operationScope } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { termsOf } from '../parties/parties.ts'
import type { Computing } from './computed.ts'
import { amountsOf, totalsOf } from './facts.ts'
import { monthsOf } from './months.ts'
import { monthAsBilled } from './preview.ts'
import type { StoredMonth } from './stored.ts'

/** Each month that is not closed is computed as its preview is: beyond a year of them, somebody has other work first. */
const MOST = 12

type Waiting = { operation: OperationRow; month: BillingMonth }
type State = ToBill['months'][number]['state']
const isWaiting = (state: BillingMonth['state']): state is State => state === 'ready' || state === 'closed'

/** Months of the operation that wait, the oldest first. What came before the first issued one was billed elsewhere. */
async function waitingOf(db: Db, operation: OperationRow): Promise<Waiting[]> {
  const months = await monthsOf(db, operation)
  const first = months.findLastIndex(({ state }) => state === 'issued')
  if (first < 0 || (await termsOf(db, operation.companyId, operation.id)).patrimonial) return []
  return months
    .slice(0, first)
    .filter(({ state }) => isWaiting(state))
    .map((month) => ({ operation, month }))
    .reverse()
}

async function billingOperations(db: Db, actor: Actor, operationId: string | undefined): Promise<OperationRow[]> {
  if (operationId) return [await findOperation(db, actor, operationId)]
  const issued = sql`exists (select 1 from billing_months b where b.company_id = ${operations.companyId}
    and b.operation_id = ${operations.id} and b.status = 'issued')`
  return db
    .select()
    .from(operations)
    .where(and(operationScope(actor), eq(operations.companyId, actor.companyId), issued))
    .orderBy(sql`fold(${operations.name})`, operations.id)
}

const rowOf = ({ operation, month }: Waiting, stored: StoredMonth): ToBill['months'][number] => {
  const { documents, wh, net, gross } = totalsOf(stored)
  const { id, name } = operation
  return { operation: { id, name }, month: month.month, state: month.state as State, documents, wh, net, gross } // filtered above
}

const NONE = { wh: 0, net: 0, gross: 0 }
const plus = (a: typeof NONE, b: typeof NONE) => ({ wh: a.wh + b.wh, net: a.net + b.net, gross: a.gross + b.gross })

/** By month and by buyer what is to be invoiced yet: as it was closed, or as its preview shows it today. */
export async function toBillOf(computing: Computing, db: Db, actor: Actor, operationId?: string): Promise<ToBill> {
  const found: Waiting[] = []
  for (const operation of await billingOperations(db, actor, operationId))
    found.push(...(await waitingOf(db, operation)))
  const waiting = found.sort((a, b) => (a.month.month < b.month.month ? -1 : 1))
  const months: ToBill['months'] = []
  const buyers = new Map<string, typeof NONE>()
  for (const one of waiting.slice(0, MOST)) {
    const wanted = { companyId: actor.companyId, operationId: one.operation.id, month: one.month.month }
    const stored = await monthAsBilled(computing, db, wanted)
    if (!stored) continue
    months.push(rowOf(one, stored))
    for (const [id, amount] of amountsOf(stored.outcome.documents)) buyers.set(id, plus(buyers.get(id) ?? NONE, amount))
  }
  return {
    months,
    buyers: [...buyers].map(([id, amount]) => ({ id, ...amount })),
    total: [...buyers.values()].reduce(plus, NONE),
    more: waiting.length - months.length,
  }
}
