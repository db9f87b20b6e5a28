import type { payments as contract, ManualPayment, MatchedPayment } from '@voisol/contract/payments'
import { formatLongDay } from '@voisol/documents/number-and-date-formats'
import { allocatePayment, computeOpenAmounts } from '@voisol/money/ledger'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { bankAccounts, invoices, payments } from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { invoiceScope, type SellerBuyerPair, toMoneyEntry } from '../../billing/invoices/index.ts'
import { loadPayment, paymentScope } from './list-payments.ts'
import { getPlacement, loadPairAccount, postPayment, refundCredit, reversePayment } from './post-payment.ts'

type PartyIds = { sellerId: string; buyerId: string }

/** The account of a seller and a buyer (participant or producer); one never invoiced has none. */
async function loadInvoicedPair(db: Db, actor: Actor, { sellerId, buyerId }: PartyIds): Promise<SellerBuyerPair> {
  const rows = await db
    .selectDistinct({ buyerId: invoices.buyerId, clientSellerId: invoices.clientSellerId })
    .from(invoices)
    .where(and(invoiceScope(actor), eq(invoices.sellerId, sellerId)))
  const own = rows.find((row) => row.buyerId === buyerId || row.clientSellerId === buyerId)
  if (!own) throw fieldError('buyerId', 'Ce vendeur n’a encore rien facturé à cet acheteur.', 'not-found')
  return { sellerId, ...own }
}

async function requireBankAccount(db: Db, companyId: number, accountId: string | null) {
  if (accountId === null) return
  const where = and(eq(bankAccounts.companyId, companyId), eq(bankAccounts.id, accountId))
  if ((await db.$count(bankAccounts, where)) === 0)
    throw fieldError('accountId', 'Ce compte bancaire n’existe pas dans votre organisation.')
}

function requirePastDay(bookedOn: string) {
  if (bookedOn > getToday())
    throw fieldError('bookedOn', `Le ${formatLongDay(bookedOn)} n’est pas encore là\u00a0: attendu, un jour passé.`)
}

type ProposeMatchesInput = PartyIds & { amount: number; references: string[] }

/** What a payment would close if it were recorded now. */
export async function proposeMatches(
  db: Db,
  actor: Actor,
  { amount, references, ...named }: ProposeMatchesInput,
): Promise<MatchedPayment> {
  const account = await loadPairAccount(db, actor.companyId, await loadInvoicedPair(db, actor, named))
  const credit = toMoneyEntry({ id: 'proposed', kind: 'receipt', amount, bookedOn: getToday() })
  const added = allocatePayment(account.entries, account.matches, { credit, references })
  const after = {
    ...account,
    entries: [...account.entries, credit],
    matches: [...account.matches, ...added.map((one) => ({ ...one, id: '' }))],
  }
  return {
    ...getPlacement(after, 'proposed'),
    advance: computeOpenAmounts(after.entries, after.matches).get('proposed') ?? 0,
  }
}

export async function recordManualPayment(tx: Db, actor: Actor, body: z.output<typeof ManualPayment>) {
  requirePastDay(body.bookedOn)
  await requireBankAccount(tx, actor.companyId, body.accountId)
  const pair = await loadInvoicedPair(tx, actor, body)
  const posting = { ...body, ...pair, kind: 'receipt' as const, source: `manual:${crypto.randomUUID()}` }
  const { id } = await postPayment(tx, actor.companyId, posting, formatActorName(actor))
  return loadPayment(tx, actor, id)
}

type WriteOffInput = z.output<typeof contract.writeOff.body>

export async function writeOffInvoice(tx: Db, actor: Actor, { invoiceId, amount, reason }: WriteOffInput) {
  const [invoice] = await tx
    .select()
    .from(invoices)
    .where(and(invoiceScope(actor), eq(invoices.id, invoiceId)))
  if (!invoice) throw new AppError('not-found')
  const { sellerId, buyerId, clientSellerId, number } = invoice
  const how = { kind: 'writeOff' as const, method: 'none' as const, bookedOn: getToday(), accountId: null }
  const posting = { sellerId, buyerId, clientSellerId, ...how, amount, note: reason, references: [number] }
  const source = `manual:${crypto.randomUUID()}`
  const { id } = await postPayment(tx, actor.companyId, { ...posting, source }, formatActorName(actor))
  return { payment: await loadPayment(tx, actor, id), number }
}

export async function undoPayment(tx: Db, actor: Actor, id: string, reason: string) {
  const payment = await loadPayment(tx, actor, id)
  // A payment dated in the future is undone on its own day.
  const bookedOn = payment.bookedOn > getToday() ? payment.bookedOn : getToday()
  const reversal = { paymentId: id, kind: 'undo' as const, bookedOn, source: `undo:${id}`, note: reason }
  const { already } = await reversePayment(tx, actor.companyId, reversal, formatActorName(actor))
  if (already) throw new AppError('conflict', { message: 'Ce paiement est déjà annulé.' })
  return loadPayment(tx, actor, id)
}

type ManualRefundInput = z.output<typeof contract.refund.body>

export async function recordManualRefund(tx: Db, actor: Actor, { creditId, ...body }: ManualRefundInput) {
  requirePastDay(body.bookedOn)
  await requireBankAccount(tx, actor.companyId, body.accountId)
  const [document] = await tx
    .select()
    .from(invoices)
    .where(and(invoiceScope(actor), eq(invoices.id, creditId)))
  const [payment] = await tx
    .select()
    .from(payments)
    .where(and(paymentScope(actor), eq(payments.id, creditId)))
  const credit = document ?? payment
  if (!credit) throw new AppError('not-found')
  const { sellerId, buyerId, clientSellerId } = credit
  const of = document ? { creditInvoiceId: creditId } : { creditPaymentId: creditId }
  const order = { pair: { sellerId, buyerId, clientSellerId }, of, ...body, source: `refund:${crypto.randomUUID()}` }
  const { id } = await refundCredit(tx, actor.companyId, order, formatActorName(actor))
  return loadPayment(tx, actor, id)
}
