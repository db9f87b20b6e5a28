import type { BillingMonth, MonthCheck } from '@voisol/contract/billing'
import { formatFrenchDay, formatMonthWithDe } from '@voisol/file-formats/french'
import { and, eq } from 'drizzle-orm'
import type { OperationRow } from '../../../core/access-scopes.ts'
import { type Db, readSnapshot } from '../../../db/client.ts'
import { billingComputations, billingMonths, operations } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import { AppError } from '../../../http/errors.ts'
import { toParisDay } from '../../../today.ts'
import { checkOpenMonth, isBlocking, isReservation, toClosedMonth } from './check-month.ts'
import { type ComputeContext, computeMonth, type MonthComputation, type MonthRequest } from './compute-month.ts'
import { computeMonthTotals } from './month-totals.ts'
import { findClosedMonth, packMonth, toStoredOutcome } from './stored-months.ts'

/** Locks the operation until the transaction ends, so that concurrent closes or issues run one after the other. */
export async function lockOperation(tx: Db, companyId: number, operationId: string): Promise<void> {
  await tx
    .select({ id: operations.id })
    .from(operations)
    .where(and(eq(operations.companyId, companyId), eq(operations.id, operationId)))
    .for('no key update')
}

async function requireNotClosed(tx: Db, { companyId, operationId, month }: MonthRequest) {
  const closed = await findClosedMonth(tx, companyId, operationId, month)
  if (!closed) return
  const day = toParisDay(closed.closedAt)
  throw new AppError('conflict', {
    message: `Le mois ${formatMonthWithDe(closed.month)} est déjà clos, le ${formatFrenchDay(day)} par ${closed.closedBy}.`,
  })
}

/** Throws with every blocking issue at once, each with its remedy, so that nothing is half closed. */
function requireClosable({ items, needsReason }: MonthCheck, reason: string) {
  const blocking = items.filter(isBlocking)
  const toIssues = (checkItems: typeof items) =>
    checkItems.map(({ code, sentence }) => ({ path: code, message: sentence }))
  if (blocking.length)
    throw new AppError('invalid', {
      message: `Ce mois ne peut pas être clos\u00a0: ${blocking.map(({ sentence }) => sentence).join(' ')}`,
      issues: toIssues(blocking),
    })
  if (!needsReason || reason) return
  const message = 'Ce mois se clôt malgré des réserves\u00a0: dites pourquoi (10 caractères au moins).'
  const warnings = items.filter(isReservation)
  throw new AppError('invalid', { message, issues: [{ path: 'reason', message }, ...toIssues(warnings)] })
}

type CloseMonthInput = {
  computing: ComputeContext
  aside: Db
  operation: OperationRow
  wanted: MonthRequest
  by: string
  reason: string
  /** A moment other than now, for demo data in the past. */
  at?: Date
}
type ClosedMonth = BillingMonth & { id: string; items: MonthCheck['items'] }

/** Computes the month again and freezes quantities, documents and their sources under one hash. */
export async function closeMonth(tx: Db, closing: CloseMonthInput): Promise<ClosedMonth> {
  const { computing, aside, operation, wanted, by, reason, at = new Date() } = closing
  await lockOperation(tx, wanted.companyId, wanted.operationId)
  await requireNotClosed(tx, wanted)
  // Reads everything from one snapshot: an allocation run that ends meanwhile would otherwise be half visible.
  const { computation, check } = await readSnapshot(aside, async (view) => {
    const computation = await computeMonth(computing, view, wanted)
    return { computation, check: await checkOpenMonth(view, operation, wanted, computation) }
  })
  requireClosable(check, reason)
  return { ...(await storeClosedMonth(tx, wanted, computation, { by, reason, at })), items: check.items }
}

async function storeClosedMonth(
  tx: Db,
  wanted: MonthRequest,
  computation: MonthComputation,
  { by, reason, at }: { by: string; reason: string; at: Date },
) {
  const { companyId, operationId, month } = wanted
  const { input, frame, outcome, daily } = computation
  if (!outcome.ok) throw new AppError('invalid')
  const stored = { input, frame, outcome: toStoredOutcome(outcome.month, daily) }
  const totals = computeMonthTotals(stored)
  const packed = await packMonth(stored)
  const [row] = await tx
    .insert(billingMonths)
    .values({
      companyId,
      operationId,
      month: `${month}-01`,
      status: 'closed',
      reason,
      closedAt: at,
      closedBy: by,
    })
    .returning()
  if (!row) throw new AppError('conflict')
  await tx
    .insert(billingComputations)
    .values({ companyId, monthId: row.id, number: 1, cause: { kind: 'close' }, ...packed, totals, createdBy: by })
  await recordEvent(tx, {
    companyId,
    name: 'month.closed',
    object: row.id,
    data: { monthId: row.id, operationId, month: row.month, net: totals.net, documents: totals.documents },
  })
  return { ...toClosedMonth(row, totals), id: row.id }
}
