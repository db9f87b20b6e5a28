import type { BillingMonth, MonthCheck } from '@voisol/contract/billing'
import { and, eq } from 'drizzle-orm'
import { record } from '../../../core/events.ts'
import type { OperationRow } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { billingComputations, billingMonths, operations } from '../../../db/schema/index.ts'
import { snapshot } from '../../../db/snapshot.ts'
import { frenchDay, ofMonth } from '../../../french.ts'
import { AppError } from '../../../http/errors.ts'
import { dayOf } from '../../../today.ts'
import { checkOpen, closedMonth, isBlocking, isReserve } from './check.ts'
import { type Computation, type Computing, computeNow, type Wanted } from './computed.ts'
import { totalsOf } from './facts.ts'
import { findMonth, outcomeOf, packMonth } from './stored.ts'

/** Held until the transaction ends: of two who close or issue at once, the second sees what the first did. */
export async function lockOperation(tx: Db, companyId: number, operationId: string): Promise<void> {
  await tx
    .select({ id: operations.id })
    .from(operations)
    .where(and(eq(operations.companyId, companyId), eq(operations.id, operationId)))
    .for('no key update')
}

async function requireOpen(tx: Db, { companyId, operationId, month }: Wanted) {
  const closed = await findMonth(tx, companyId, operationId, month)
  if (!closed) return
  const day = dayOf(closed.closedAt)
  throw new AppError('conflict', {
    message: `Le mois ${ofMonth(closed.month)} est déjà clos, le ${frenchDay(day)} par ${closed.closedBy}.`,
  })
}

/** Everything that stands in the way at once, each with its remedy; nothing is half closed. */
function requireReady({ items, needsReason }: MonthCheck, reason: string) {
  const blocking = items.filter(isBlocking)
  const told = (found: typeof items) => found.map(({ code, sentence }) => ({ path: code, message: sentence }))
  if (blocking.length)
    throw new AppError('invalid', {
      message: `Ce mois ne peut pas être clos\u00a0: ${blocking.map(({ sentence }) => sentence).join(' ')}`,
      issues: told(blocking),
    })
  if (!needsReason || reason) return
  const message = 'Ce mois se clôt malgré des réserves\u00a0: dites pourquoi (10 caractères au moins).'
  const warnings = items.filter(isReserve)
  throw new AppError('invalid', { message, issues: [{ path: 'reason', message }, ...told(warnings)] })
}

type Closing = {
  computing: Computing
  aside: Db
  operation: OperationRow
  wanted: Wanted
  by: string
  reason: string
  /** Another moment than now: what tells a past. */
  at?: Date
}
export type Closed = BillingMonth & { id: string; items: MonthCheck['items'] }

/** Computes the month once more and freezes it: quantities, documents and where they came from, under one hash. */
export async function closeNow(tx: Db, closing: Closing): Promise<Closed> {
  const { computing, aside, operation, wanted, by, reason, at = new Date() } = closing
  await lockOperation(tx, wanted.companyId, wanted.operationId)
  await requireOpen(tx, wanted)
  // As of one moment: a run that ends meanwhile would otherwise be seen by halves.
  const { computation, check } = await snapshot(aside, async (view) => {
    const computation = await computeNow(computing, view, wanted)
    return { computation, check: await checkOpen(view, operation, wanted, computation) }
  })
  requireReady(check, reason)
  return { ...(await store(tx, wanted, computation, { by, reason, at })), items: check.items }
}

async function store(
  tx: Db,
  wanted: Wanted,
  computation: Computation,
  { by, reason, at }: { by: string; reason: string; at: Date },
) {
  const { companyId, operationId, month } = wanted
  const { input, frame, outcome, daily } = computation
  if (!outcome.ok) throw new AppError('invalid')
  const stored = { input, frame, outcome: outcomeOf(outcome.month, daily) }
  const totals = totalsOf(stored)
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
  await record(tx, {
    companyId,
    name: 'month.closed',
    object: row.id,
    data: { monthId: row.id, operationId, month: row.month, net: totals.net, documents: totals.documents },
  })
  return { ...closedMonth(row, totals), id: row.id }
}
