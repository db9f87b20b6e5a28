import type { BillingMonth, CheckItem, MonthCheck } from '@voisol/contract/billing'
import type { OperationRow } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { frenchDay } from '../../../french.ts'
import { dayOf } from '../../../today.ts'
import { unsentDocuments } from '../invoices/invoices.ts'
import { checklistOf } from './checklist.ts'
import type { Computation, Wanted } from './computed.ts'
import { ELSEWHERE } from './elsewhere.ts'
import { totalsOf } from './facts.ts'
import { computationOf, type MonthRow, outcomeOf } from './stored.ts'

export const isBlocking = ({ level }: CheckItem) => level === 'blocking'
/** What somebody closes in spite of: a warning that is more than advice. */
export const isReserve = ({ level, advice }: CheckItem) => level === 'warning' && !advice

/** In one sentence what stands in the way. */
export function missingOf(items: CheckItem[]): string {
  const [first, ...others] = items.filter(isBlocking)
  if (!first) return ''
  return others.length
    ? `${first.sentence} Et ${others.length === 1 ? 'un autre point' : `${others.length} autres points`} à régler.`
    : first.sentence
}

const NEVER = { closedAt: null, closedBy: '', reason: '', issuedAt: null, issuedBy: '' }

/** An open month as it stands: its checklist, and what it would come to. */
export async function checkOpen(
  db: Db,
  operation: OperationRow,
  wanted: Wanted,
  computation: Computation,
): Promise<MonthCheck> {
  const items = await checklistOf(db, wanted, computation)
  const { outcome, daily, input } = computation
  const canClose = !items.some(isBlocking)
  return {
    operationId: operation.id,
    operation: operation.name,
    month: wanted.month,
    state: items.some(({ code }) => code === ELSEWHERE) ? 'elsewhere' : canClose ? 'ready' : 'open',
    totals: outcome.ok ? totalsOf({ input, outcome: outcomeOf(outcome.month, daily) }) : null,
    missing: missingOf(items),
    ...NEVER,
    items,
    canClose,
    needsReason: items.some(isReserve),
  }
}

export const closedMonth = (row: MonthRow, totals: BillingMonth['totals']): BillingMonth => ({
  month: row.month.slice(0, 7),
  // The column holds only these.
  state: row.status as 'closed' | 'issued',
  totals,
  missing: '',
  closedAt: row.closedAt.toISOString(),
  closedBy: row.closedBy,
  reason: row.reason,
  issuedAt: row.issuedAt?.toISOString() ?? null,
  issuedBy: row.issuedBy,
})

/** A closed month is checked no more: what it was computed from is kept as it was. */
export async function checkClosed(db: Db, operation: OperationRow, row: MonthRow): Promise<MonthCheck> {
  const { totals } = await computationOf(db, row)
  const sentence = `Clos le ${frenchDay(dayOf(row.closedAt))} par ${row.closedBy}\u00a0: ses quantités ne changent plus.`
  return {
    ...closedMonth(row, totals),
    operationId: operation.id,
    operation: operation.name,
    items: [{ code: 'closed', level: 'ok', sentence, href: null }],
    canClose: false,
    needsReason: false,
    ...(row.status === 'issued' && {
      unsent: (await unsentDocuments(db, row.companyId, row.operationId, row.month.slice(0, 7))).length,
    }),
  }
}
