import type { payments as contract, ManualPayment, Placed } from '@voisol/contract/payments'
import { openOf, place } from '@voisol/money/ledger'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { bankAccounts, invoices, payments } from '../../../db/schema/index.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { longDay } from '../../../papers/words.ts'
import { today } from '../../../today.ts'
import { invoiceScope, moneyEntry, type Pair } from '../invoices/invoices.ts'
import { readAccount } from './accounts.ts'
import { getPayment } from './list.ts'
import { placedOf, postPayment } from './post.ts'
import { refund } from './refund.ts'
import { reversePayment } from './reverse.ts'
import { paymentScope } from './scope.ts'

type Named = { sellerId: string; buyerId: string }

/** The account that a seller and a buyer have: a participant, or a producer; somebody who was never invoiced has none. */
export async function pairOf(db: Db, actor: Actor, { sellerId, buyerId }: Named): Promise<Pair> {
  const rows = await db
    .selectDistinct({ buyerId: invoices.buyerId, clientSellerId: invoices.clientSellerId })
    .from(invoices)
    .where(and(invoiceScope(actor), eq(invoices.sellerId, sellerId)))
  const own = rows.find((row) => row.buyerId === buyerId || row.clientSellerId === buyerId)
  if (!own) throw fieldError('buyerId', 'Ce vendeur n’a encore rien facturé à cet acheteur.', 'not-found')
  return { sellerId, ...own }
}

async function checkAccount(db: Db, companyId: number, accountId: string | null) {
  if (accountId === null) return
  const where = and(eq(bankAccounts.companyId, companyId), eq(bankAccounts.id, accountId))
  if ((await db.$count(bankAccounts, where)) === 0)
    throw fieldError('accountId', 'Ce compte bancaire n’existe pas dans votre organisation.')
}

function checkDay(bookedOn: string) {
  if (bookedOn > today())
    throw fieldError('bookedOn', `Le ${longDay(bookedOn)} n’est pas encore là\u00a0: attendu, un jour passé.`)
}

type Proposed = Named & { amount: number; references: string[] }

/** What a payment would close if it were recorded now. */
export async function propose(db: Db, actor: Actor, { amount, references, ...named }: Proposed): Promise<Placed> {
  const account = await readAccount(db, actor.companyId, await pairOf(db, actor, named))
  const credit = moneyEntry({ id: 'proposed', kind: 'receipt', amount, bookedOn: today() })
  const added = place(account.entries, account.matches, { credit, references })
  const after = {
    ...account,
    entries: [...account.entries, credit],
    matches: [...account.matches, ...added.map((one) => ({ ...one, id: '' }))],
  }
  return { ...placedOf(after, 'proposed'), advance: openOf(after.entries, after.matches).get('proposed') ?? 0 }
}

export async function recordManual(tx: Db, actor: Actor, body: z.output<typeof ManualPayment>) {
  checkDay(body.bookedOn)
  await checkAccount(tx, actor.companyId, body.accountId)
  const pair = await pairOf(tx, actor, body)
  const posting = { ...body, ...pair, kind: 'receipt' as const, source: `manual:${crypto.randomUUID()}` }
  const { id } = await postPayment(tx, actor.companyId, posting, nameOfActor(actor))
  return getPayment(tx, actor, id)
}

type WriteOff = z.output<typeof contract.writeOff.body>

export async function writeOff(tx: Db, actor: Actor, { invoiceId, amount, reason }: WriteOff) {
  const [invoice] = await tx
    .select()
    .from(invoices)
    .where(and(invoiceScope(actor), eq(invoices.id, invoiceId)))
  if (!invoice) throw new AppError('not-found')
  const { sellerId, buyerId, clientSellerId, number } = invoice
  const how = { kind: 'writeOff' as const, method: 'none' as const, bookedOn: today(), accountId: null }
  const posting = { sellerId, buyerId, clientSellerId, ...how, amount, note: reason, references: [number] }
  const source = `manual:${crypto.randomUUID()}`
  const { id } = await postPayment(tx, actor.companyId, { ...posting, source }, nameOfActor(actor))
  return { payment: await getPayment(tx, actor, id), number }
}

export async function undo(tx: Db, actor: Actor, id: string, reason: string) {
  const payment = await getPayment(tx, actor, id)
  // What was dated ahead is undone on its own day.
  const bookedOn = payment.bookedOn > today() ? payment.bookedOn : today()
  const reversal = { paymentId: id, kind: 'undo' as const, bookedOn, source: `undo:${id}`, note: reason }
  const { already } = await reversePayment(tx, actor.companyId, reversal, nameOfActor(actor))
  if (already) throw new AppError('conflict', { message: 'Ce paiement est déjà annulé.' })
  return getPayment(tx, actor, id)
}

type RefundBody = z.output<typeof contract.refund.body>

export async function refundManual(tx: Db, actor: Actor, { creditId, ...body }: RefundBody) {
  checkDay(body.bookedOn)
  await checkAccount(tx, actor.companyId, body.accountId)
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
  const { id } = await refund(tx, actor.companyId, order, nameOfActor(actor))
  return getPayment(tx, actor, id)
}
