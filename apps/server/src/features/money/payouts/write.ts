import type { Payout, PayoutDue } from '@voisol/contract/payouts'
import { and, desc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { bankAccounts, payouts, sellers } from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { formatLongDay } from '../../../papers/words.ts'
import { getToday } from '../../../today.ts'
import { type BankAccountRow, loadBankAccount, recordPayoutEvents, recordPayoutsTransferred } from '../bank/bank.ts'
import { lockAccounts, postPayment, reversePayment } from '../payments/payments.ts'
import { loadDuePayouts } from './due.ts'
import { buildSetOffSource, findSetOffPaymentId } from './set-off.ts'

export type PayoutRow = typeof payouts.$inferSelect
const toDay = (at: Date) => at.toISOString().slice(0, 10)

export async function listPayouts(db: Db, companyId: number): Promise<Payout[]> {
  const rows = await db
    .select({ row: payouts, seller: sellers.name, account: bankAccounts.name })
    .from(payouts)
    .innerJoin(sellers, and(eq(sellers.companyId, payouts.companyId), eq(sellers.id, payouts.sellerId)))
    .innerJoin(bankAccounts, and(eq(bankAccounts.companyId, payouts.companyId), eq(bankAccounts.id, payouts.accountId)))
    .where(eq(payouts.companyId, companyId))
    .orderBy(desc(payouts.createdAt), desc(payouts.id))
  return rows.map(({ row, seller, account }) => ({
    id: row.id,
    seller: { id: row.sellerId, name: seller },
    account: { id: row.accountId, name: account },
    amount: row.amount,
    setOff: row.setOff,
    status: row.status as Payout['status'], // the column only stores these values
    endToEndId: row.endToEndId,
    messageId: row.messageId,
    paidOn: row.paidOn,
    bankReference: row.bankReference,
    createdOn: toDay(row.createdAt),
    by: row.createdBy,
    version: row.version,
  }))
}

export async function loadPayout(db: Db, companyId: number, id: string): Promise<Payout> {
  const found = (await listPayouts(db, companyId)).find((payout) => payout.id === id)
  if (!found) throw new AppError('not-found')
  return found
}

/** Sets off fees first, in both books: the bank pays the rest. */
async function planPayout(tx: Db, actor: Actor, account: BankAccountRow, due: PayoutDue): Promise<PayoutRow> {
  const { companyId } = actor
  const id = crypto.randomUUID()
  const setOff = Math.min(due.fees, due.due)
  if (setOff > 0) {
    const pair = { sellerId: due.holder.id, buyerId: null, clientSellerId: due.seller.id }
    const how = { kind: 'receipt' as const, method: 'setOff' as const, bookedOn: getToday(), accountId: null }
    const note = 'Frais déduits du reversement'
    await postPayment(
      tx,
      companyId,
      { ...pair, ...how, amount: setOff, source: buildSetOffSource(id), note },
      formatActorName(actor),
    )
  }
  const amount = due.due - setOff
  const endToEndId = `RV${getToday().replaceAll('-', '')}-${id.slice(0, 8).toUpperCase()}`
  const whose = { companyId, id, sellerId: due.seller.id, accountId: account.id, amount, setOff, endToEndId }
  // When fees take all of it, nothing goes to the bank.
  const settled = amount === 0 ? { status: 'paid', paidOn: getToday() } : {}
  const [row] = await tx
    .insert(payouts)
    .values({ ...whose, ...settled, createdBy: formatActorName(actor) })
    .returning()
  if (!row) throw new AppError('internal')
  return row
}

/** Plans payouts to producers from one account; what cannot be paid is reported and does not stop the others. */
export async function planPayouts(
  tx: Db,
  actor: Actor,
  { accountId, sellerIds }: { accountId: string; sellerIds: string[] },
) {
  const { companyId } = actor
  await lockAccounts(tx, companyId)
  const account = await loadBankAccount(tx, companyId, accountId)
  if (account.kind !== 'bank') throw fieldError('accountId', 'Un reversement part d’un compte bancaire.')
  const all = await loadDuePayouts(tx, companyId)
  const made: PayoutRow[] = []
  const refused: { seller: string; why: string }[] = []
  for (const sellerId of new Set(sellerIds)) {
    const due = all.find(({ seller, holder }) => seller.id === sellerId && holder.id === account.ownerId)
    if (!due) throw new AppError('not-found')
    if (due.waits) refused.push({ seller: due.seller.name, why: due.waits })
    else made.push(await planPayout(tx, actor, account, due))
  }
  await recordPayoutEvents(tx, companyId, 'payout.planned', made)
  const ids = new Set(made.map(({ id }) => id))
  return { items: (await listPayouts(tx, companyId)).filter(({ id }) => ids.has(id)), refused }
}

async function lockPayout(tx: Db, companyId: number, id: string): Promise<PayoutRow> {
  const [row] = await tx
    .select()
    .from(payouts)
    .where(and(eq(payouts.companyId, companyId), eq(payouts.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  return row
}
const updatePayout = (tx: Db, { companyId, id, version }: PayoutRow, values: Partial<PayoutRow>) =>
  tx
    .update(payouts)
    .set({ ...values, version: version + 1 })
    .where(and(eq(payouts.companyId, companyId), eq(payouts.id, id)))

type MarkPayoutPaidInput = { on: string; bankReference: string; version: number }

/** Marks a payout as paid, as the bank statement shows. */
export async function markPayoutPaid(
  tx: Db,
  { companyId }: Actor,
  id: string,
  { on, bankReference, version }: MarkPayoutPaidInput,
) {
  const row = await lockPayout(tx, companyId, id)
  requireCurrentVersion(row, { version })
  if (row.status !== 'filed')
    throw new AppError('conflict', {
      message: 'Seul un reversement dont le fichier est établi peut être noté comme viré.',
    })
  if (on > getToday())
    throw fieldError('on', `Le ${formatLongDay(on)} n’est pas encore là\u00a0: attendu, un jour passé.`)
  await updatePayout(tx, row, { status: 'paid', paidOn: on, bankReference })
  await recordPayoutsTransferred(tx, companyId, on, [row])
  return loadPayout(tx, companyId, id)
}

/** Cancels a payout and reopens the fees set off with it; a paid one cannot be cancelled. */
export async function cancelPayout(tx: Db, actor: Actor, id: string, version: number) {
  const { companyId } = actor
  await lockAccounts(tx, companyId)
  const row = await lockPayout(tx, companyId, id)
  requireCurrentVersion(row, { version })
  if (row.status === 'paid' || row.status === 'cancelled')
    throw new AppError('conflict', {
      message: `Ce reversement est ${row.status === 'paid' ? 'viré' : 'déjà annulé'}\u00a0: il ne peut plus être annulé.`,
    })
  const posted = await findSetOffPaymentId(tx, companyId, id)
  if (posted) {
    const reversal = { paymentId: posted, kind: 'undo' as const, bookedOn: getToday(), source: `undo:${posted}` }
    await reversePayment(tx, companyId, { ...reversal, note: 'Reversement annulé' }, formatActorName(actor))
  }
  await updatePayout(tx, row, { status: 'cancelled' })
  await recordPayoutEvents(tx, companyId, 'payout.cancelled', [row])
  return loadPayout(tx, companyId, id)
}
