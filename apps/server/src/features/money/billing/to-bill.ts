import type { BillingMonth, ToBill } from '@voisol/contract/billing'
import { and, eq, sql } from 'drizzle-orm'
import { type OperationRow, operationScope, requireVisibleOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { loadOperationTerms } from '../parties/parties.ts'
import type { ComputeContext } from './computed.ts'
import { computeMonthTotals, sumAmountsByBuyer } from './facts.ts'
import { listMonths } from './months.ts'
import { loadOrComputeMonth } from './preview.ts'
import type { MonthResult } from './stored.ts'

/** Each open month is computed like its preview, which is slow: more than a year of them is truncated. */
const MAX_COMPUTED_MONTHS = 12

type WaitingMonth = { operation: OperationRow; month: BillingMonth }
type State = ToBill['months'][number]['state']
const isWaiting = (state: BillingMonth['state']): state is State => state === 'ready' || state === 'closed'

/**
 * Months of the operation not invoiced yet, oldest first. Months before the first issued one were billed by another
 * program.
 */
async function loadWaitingMonths(db: Db, operation: OperationRow): Promise<WaitingMonth[]> {
  const months = await listMonths(db, operation)
  const first = months.findLastIndex(({ state }) => state === 'issued')
  if (first < 0 || (await loadOperationTerms(db, operation.companyId, operation.id)).patrimonial) return []
  return months
    .slice(0, first)
    .filter(({ state }) => isWaiting(state))
    .map((month) => ({ operation, month }))
    .reverse()
}

async function loadBilledOperations(db: Db, actor: Actor, operationId: string | undefined): Promise<OperationRow[]> {
  if (operationId) return [await requireVisibleOperation(db, actor, operationId)]
  const issued = sql`exists (select 1 from billing_months b where b.company_id = ${operations.companyId}
    and b.operation_id = ${operations.id} and b.status = 'issued')`
  return db
    .select()
    .from(operations)
    .where(and(operationScope(actor), eq(operations.companyId, actor.companyId), issued))
    .orderBy(sql`fold(${operations.name})`, operations.id)
}

const toUnbilledMonth = ({ operation, month }: WaitingMonth, stored: MonthResult): ToBill['months'][number] => {
  const { documents, wh, net, gross } = computeMonthTotals(stored)
  const { id, name } = operation
  return { operation: { id, name }, month: month.month, state: month.state as State, documents, wh, net, gross } // filtered above
}

const ZERO_AMOUNTS = { wh: 0, net: 0, gross: 0 }
const addAmounts = (a: typeof ZERO_AMOUNTS, b: typeof ZERO_AMOUNTS) => ({
  wh: a.wh + b.wh,
  net: a.net + b.net,
  gross: a.gross + b.gross,
})

/** What remains to invoice, by month and by buyer: as it was closed, or as its preview computes it today. */
export async function loadUnbilledMonths(
  computing: ComputeContext,
  db: Db,
  actor: Actor,
  operationId?: string,
): Promise<ToBill> {
  const found: WaitingMonth[] = []
  for (const operation of await loadBilledOperations(db, actor, operationId))
    found.push(...(await loadWaitingMonths(db, operation)))
  const waiting = found.sort((a, b) => (a.month.month < b.month.month ? -1 : 1))
  const months: ToBill['months'] = []
  const buyers = new Map<string, typeof ZERO_AMOUNTS>()
  for (const one of waiting.slice(0, MAX_COMPUTED_MONTHS)) {
    const wanted = { companyId: actor.companyId, operationId: one.operation.id, month: one.month.month }
    const stored = await loadOrComputeMonth(computing, db, wanted)
    if (!stored) continue
    months.push(toUnbilledMonth(one, stored))
    for (const [id, amount] of sumAmountsByBuyer(stored.outcome.documents))
      buyers.set(id, addAmounts(buyers.get(id) ?? ZERO_AMOUNTS, amount))
  }
  return {
    months,
    buyers: [...buyers].map(([id, amount]) => ({ id, ...amount })),
    total: [...buyers.values()].reduce(addAmounts, ZERO_AMOUNTS),
    more: waiting.length - months.length,
  }
}
