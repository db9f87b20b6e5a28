import { getReturnConsequence, getReturnReason } from '@voisol/contract/return-codes'
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { debitInvoices, debitRuns, debits, invoices, mandates } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { recordMandateEvents, recordMandatesStopped, stopMandates } from '../mandates/index.ts'
import { postPayment, reversePayment } from '../payments/index.ts'
import { type DebitRow, recordDebitReturned, recordReturnCancelled } from './debit-runs.ts'

export type BankOutcome = { on: string; source: string; by: string }

/** Debits of an account that are sent or collected: those its bank lines may refer to. */
export async function loadDebitsOfAccount(db: Db, companyId: number, accountId: string) {
  const rows = await db
    .select({ debit: debits, rum: mandates.rum })
    .from(debits)
    .innerJoin(debitRuns, and(eq(debitRuns.companyId, debits.companyId), eq(debitRuns.id, debits.runId)))
    .innerJoin(mandates, and(eq(mandates.companyId, debits.companyId), eq(mandates.id, debits.mandateId)))
    .where(and(eq(debits.companyId, companyId), eq(debitRuns.accountId, accountId)))
  return rows.map(({ debit, rum }) => ({ ...debit, rum }))
}

async function lockDebit(tx: Db, companyId: number, id: string): Promise<DebitRow> {
  const [row] = await tx
    .select()
    .from(debits)
    .where(and(eq(debits.companyId, companyId), eq(debits.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  return row
}

const updateDebit = (tx: Db, { companyId, id }: DebitRow, values: Partial<DebitRow>) =>
  tx
    .update(debits)
    .set(values)
    .where(and(eq(debits.companyId, companyId), eq(debits.id, id)))

async function loadDebitContext(tx: Db, { companyId, id, mandateId, runId }: DebitRow) {
  const [mandate] = await tx
    .select()
    .from(mandates)
    .where(and(eq(mandates.companyId, companyId), eq(mandates.id, mandateId)))
  const [run] = await tx
    .select()
    .from(debitRuns)
    .where(and(eq(debitRuns.companyId, companyId), eq(debitRuns.id, runId)))
  const links = await tx
    .select({ number: invoices.number, sellerId: invoices.sellerId, amount: debitInvoices.amount })
    .from(debitInvoices)
    .innerJoin(invoices, and(eq(invoices.companyId, debitInvoices.companyId), eq(invoices.id, debitInvoices.invoiceId)))
    .where(and(eq(debitInvoices.companyId, companyId), eq(debitInvoices.debitId, id)))
    .orderBy(invoices.dueOn, invoices.number)
  if (!mandate || !run) throw new AppError('not-found')
  return { mandate, run, bySeller: Map.groupBy(links, ({ sellerId }) => sellerId) }
}

/** The payments posted from one debit: one for each seller of its documents, all with the same source. */
async function loadPaymentIds(tx: Db, { companyId, paymentId }: DebitRow): Promise<string[]> {
  if (!paymentId) return []
  const { rows } = await tx.execute<{ id: string }>(sql`
    select o.id from payments p join payments o on o.company_id = p.company_id and o.source = p.source and o.kind = 'receipt'
     where p.company_id = ${companyId} and p.id = ${paymentId} order by o.created_at, o.id`)
  return rows.map(({ id }) => id)
}

type ReverseDebitInput = { kind: 'return' | 'undo'; on: string; source: string; by: string; note?: string }
async function reverseDebitPayments(tx: Db, debit: DebitRow, { on: bookedOn, by, ...back }: ReverseDebitInput) {
  for (const paymentId of await loadPaymentIds(tx, debit))
    await reversePayment(tx, debit.companyId, { paymentId, bookedOn, ...back }, by)
}

/** Posts a debit that the bank confirms as collected: it pays the documents of the debit. */
export async function collectDebit(tx: Db, companyId: number, id: string, { on, source, by }: BankOutcome) {
  const debit = await lockDebit(tx, companyId, id)
  if (debit.status !== 'sent')
    throw new AppError('conflict', { message: `Le prélèvement ${debit.endToEndId} n’attend pas d’argent.` })
  const { mandate, run, bySeller } = await loadDebitContext(tx, debit)
  const about = { kind: 'receipt' as const, method: 'debit' as const, accountId: run.accountId, note: debit.endToEndId }
  const posted: string[] = []
  for (const [sellerId, links] of bySeller) {
    const pair = { sellerId, buyerId: mandate.participantId, clientSellerId: null }
    const amount = links.reduce((sum, link) => sum + link.amount, 0)
    const references = links.map(({ number }) => number)
    const posting = { ...pair, ...about, amount, bookedOn: on, source, references }
    posted.push((await postPayment(tx, companyId, posting, by)).id)
  }
  await updateDebit(tx, debit, { status: 'collected', collectedOn: on, paymentId: posted[0] ?? null })
}

/**
 * Records a debit that the bank rejected or returned: its documents are open again, and the code decides what follows.
 */
export async function returnDebit(
  tx: Db,
  companyId: number,
  id: string,
  { code, ...outcome }: BankOutcome & { code: string },
) {
  const debit = await lockDebit(tx, companyId, id)
  if (debit.status === 'returned') return
  if (debit.status !== 'sent' && debit.status !== 'collected')
    throw new AppError('conflict', {
      message: `Le prélèvement ${debit.endToEndId} n’a pas été envoyé\u00a0: il ne peut pas être rejeté.`,
    })
  const note = `Rejet ${code}\u00a0: ${getReturnReason(code)}`
  await reverseDebitPayments(tx, debit, { ...outcome, kind: 'return', note })
  await updateDebit(tx, debit, { status: 'returned', returnedOn: outcome.on, returnCode: code })
  if (getReturnConsequence(code) === 'stop')
    await recordMandatesStopped(
      tx,
      companyId,
      await stopMandates(tx, companyId, eq(mandates.id, debit.mandateId), {
        status: 'stopped',
        reason: `${getReturnReason(code)} (${code})`,
      }),
    )
  await recordDebitReturned(tx, debit, { code, on: outcome.on })
}

/** Undoes a collection when its bank line is undone: the debit waits for its money again. */
export async function undoCollection(tx: Db, companyId: number, id: string, { on, source, by }: BankOutcome) {
  const debit = await lockDebit(tx, companyId, id)
  if (debit.status !== 'collected' || !debit.paymentId)
    throw new AppError('conflict', {
      message: `Le prélèvement ${debit.endToEndId} a été rejeté depuis\u00a0: annulez d’abord ce rejet.`,
    })
  await reverseDebitPayments(tx, debit, { kind: 'undo', on, source, by })
  await updateDebit(tx, debit, { status: 'sent', collectedOn: null, paymentId: null })
}

/**
 * Undoes a return recorded by mistake: its documents are paid again, and a mandate stopped only by it is active again.
 */
export async function undoReturn(tx: Db, companyId: number, id: string, { on, source, by }: BankOutcome) {
  const debit = await lockDebit(tx, companyId, id)
  if (debit.status !== 'returned') return
  const clearedFields = { returnedOn: null, returnCode: '', paymentId: null }
  await updateDebit(tx, debit, { ...clearedFields, status: 'sent' })
  if (getReturnConsequence(debit.returnCode) === 'stop') await resumeMandate(tx, companyId, debit.mandateId)
  if (debit.paymentId) await collectDebit(tx, companyId, id, { on: debit.collectedOn ?? on, source, by })
  await recordReturnCancelled(tx, debit)
}

async function resumeMandate(tx: Db, companyId: number, mandateId: string) {
  const resumed = await tx
    .update(mandates)
    .set({ status: 'active', statusReason: '', version: sql`${mandates.version} + 1` })
    .where(
      and(
        eq(mandates.companyId, companyId),
        eq(mandates.id, mandateId),
        eq(mandates.status, 'stopped'),
        // Another mandate may have been signed since.
        sql`not exists (select 1 from mandates o where o.company_id = ${mandates.companyId}
            and o.creditor_id = ${mandates.creditorId} and o.participant_id = ${mandates.participantId} and o.status = 'active')`,
      ),
    )
    .returning({ id: mandates.id, creditorId: mandates.creditorId, participantId: mandates.participantId })
  await recordMandateEvents(tx, companyId, 'mandate.resumed', resumed)
}

/** Documents of debits under way, with the collection day: no reminder is sent for them meanwhile. */
export async function loadPendingDebitDays(db: Db, companyId: number): Promise<Map<string, string>> {
  const rows = await db
    .select({ invoiceId: debitInvoices.invoiceId, on: debitRuns.collectionOn })
    .from(debitInvoices)
    .innerJoin(debits, and(eq(debits.companyId, debitInvoices.companyId), eq(debits.id, debitInvoices.debitId)))
    .innerJoin(debitRuns, and(eq(debitRuns.companyId, debits.companyId), eq(debitRuns.id, debits.runId)))
    .where(and(eq(debitInvoices.companyId, companyId), sql`${debits.status} in ('planned', 'sent')`))
  return new Map(rows.map(({ invoiceId, on }) => [invoiceId, on]))
}
