import type { BillingMonth, CheckItem, MonthCheck } from '@voisol/contract/billing'
import type { OperationRow } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { formatFrenchDay } from '../../../french.ts'
import { toParisDay } from '../../../today.ts'
import { loadUnsentDocumentIds } from '../invoices/invoices.ts'
import { loadChecklist } from './checklist.ts'
import type { MonthComputation, MonthRequest } from './computed.ts'
import { BILLED_ELSEWHERE } from './elsewhere.ts'
import { computeMonthTotals } from './facts.ts'
import { type ClosedMonthRow, loadComputation, toStoredOutcome } from './stored.ts'

export const isBlocking = ({ level }: CheckItem) => level === 'blocking'
/** A warning, other than advice, needs a reason to close the month. */
export const isReservation = ({ level, advice }: CheckItem) => level === 'warning' && !advice

/** Summarises the blocking items in one sentence. */
export function summarizeBlockingItems(items: CheckItem[]): string {
  const [first, ...others] = items.filter(isBlocking)
  if (!first) return ''
  return others.length
    ? `${first.sentence} Et ${others.length === 1 ? 'un autre point' : `${others.length} autres points`} à régler.`
    : first.sentence
}

const NOT_CLOSED = { closedAt: null, closedBy: '', reason: '', issuedAt: null, issuedBy: '' }

/** The check of an open month: its checklist, and the totals it would have if closed now. */
export async function checkOpenMonth(
  db: Db,
  operation: OperationRow,
  wanted: MonthRequest,
  computation: MonthComputation,
): Promise<MonthCheck> {
  const items = await loadChecklist(db, wanted, computation)
  const { outcome, daily, input } = computation
  const canClose = !items.some(isBlocking)
  return {
    operationId: operation.id,
    operation: operation.name,
    month: wanted.month,
    state: items.some(({ code }) => code === BILLED_ELSEWHERE) ? 'elsewhere' : canClose ? 'ready' : 'open',
    totals: outcome.ok ? computeMonthTotals({ input, outcome: toStoredOutcome(outcome.month, daily) }) : null,
    missing: summarizeBlockingItems(items),
    ...NOT_CLOSED,
    items,
    canClose,
    needsReason: items.some(isReservation),
  }
}

export const toClosedMonth = (row: ClosedMonthRow, totals: BillingMonth['totals']): BillingMonth => ({
  month: row.month.slice(0, 7),
  // The column only stores these values.
  state: row.status as 'closed' | 'issued',
  totals,
  missing: '',
  closedAt: row.closedAt.toISOString(),
  closedBy: row.closedBy,
  reason: row.reason,
  issuedAt: row.issuedAt?.toISOString() ?? null,
  issuedBy: row.issuedBy,
})

/** A closed month is not checked again: it keeps the data it was computed from. */
export async function checkClosedMonth(db: Db, operation: OperationRow, row: ClosedMonthRow): Promise<MonthCheck> {
  const { totals } = await loadComputation(db, row)
  const sentence = `Clos le ${formatFrenchDay(toParisDay(row.closedAt))} par ${row.closedBy}\u00a0: ses quantités ne changent plus.`
  return {
    ...toClosedMonth(row, totals),
    operationId: operation.id,
    operation: operation.name,
    items: [{ code: 'closed', level: 'ok', sentence, href: null }],
    canClose: false,
    needsReason: false,
    ...(row.status === 'issued' && {
      unsent: (await loadUnsentDocumentIds(db, row.companyId, row.operationId, row.month.slice(0, 7))).length,
    }),
  }
}
