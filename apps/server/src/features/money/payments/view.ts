import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { INVOICE_KIND_LABELS, type InvoiceKind } from '@voisol/contract/money'
import {
  PAYMENT_KIND_LABELS,
  PAYMENT_METHOD_LABELS,
  type PaymentKind,
  type PaymentMethod,
} from '@voisol/contract/payment-words'
import type { BuyerAccount, SettlingItem } from '@voisol/contract/payments'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { bankAccounts, invoices, participants, payments, sellers } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import {
  computeAccountOpenAmounts,
  invoiceScope,
  loadPairAccounts,
  type SellerBuyerPair,
} from '../invoices/invoices.ts'
import { loadPairAccount } from './accounts.ts'
import { loadAccountMovements } from './open-items.ts'

const loadNames = async (db: Db, table: typeof sellers | typeof participants, companyId: number, ids: string[]) => {
  if (!ids.length) return new Map<string, string>()
  const rows = await db
    .select({ id: table.id, name: table.name })
    .from(table)
    .where(and(eq(table.companyId, companyId), inArray(table.id, ids)))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const loadMethods = async (db: Db, companyId: number, buyerId: string) => {
  const rows = await db
    .select({ id: payments.id, method: payments.method })
    .from(payments)
    .where(and(eq(payments.companyId, companyId), eq(payments.buyerId, buyerId)))
  return new Map(rows.map(({ id, method }) => [id, method]))
}

/** A buyer with each of its sellers: whoever may read a document of the account may read the account. */
export async function loadBuyerAccounts(db: Db, actor: Actor, buyerId: string) {
  const { companyId } = actor
  const rows = await db
    .selectDistinct({ sellerId: invoices.sellerId })
    .from(invoices)
    .where(and(invoiceScope(actor), eq(invoices.buyerId, buyerId)))
  if (!rows.length) throw new AppError('not-found')
  const names = await loadNames(
    db,
    sellers,
    companyId,
    rows.map(({ sellerId }) => sellerId),
  )
  const methods = await loadMethods(db, companyId, buyerId)
  const accounts: BuyerAccount[] = []
  for (const { sellerId } of rows) {
    const movements = await loadAccountMovements(db, companyId, { sellerId, buyerId, clientSellerId: null })
    const seller = { id: sellerId, name: names.get(sellerId) ?? '' }
    const movementsWithMethod = movements.map((one) => ({ ...one, method: methods.get(one.id) ?? '' }))
    accounts.push({ seller, balance: movements.at(-1)?.balance ?? 0, movements: movementsWithMethod })
  }
  const buyer = { id: buyerId, name: (await loadNames(db, participants, companyId, [buyerId])).get(buyerId) ?? '' }
  return { buyer, accounts: accounts.sort((a, b) => a.seller.name.localeCompare(b.seller.name, 'fr')) }
}

const getClosingLabel = (kind: string, method: string) => {
  const own = PAYMENT_KIND_LABELS[kind as PaymentKind] // the columns only store these values
  return kind === 'receipt' ? PAYMENT_METHOD_LABELS[method as PaymentMethod] : own
}

/** What closed a document, in order, including reversed matches; and how the rest will be paid. */
export async function loadInvoicePayments(db: Db, actor: Actor, id: string) {
  const [invoice] = await db
    .select()
    .from(invoices)
    .where(and(invoiceScope(actor), eq(invoices.id, id)))
  if (!invoice) throw new AppError('not-found')
  const account = await loadPairAccount(db, actor.companyId, invoice)
  const entries = new Map(account.entries.map((entry) => [entry.id, entry]))
  const undone = new Set(account.matches.map(({ undoes }) => undoes))
  const methods = invoice.buyerId ? await loadMethods(db, actor.companyId, invoice.buyerId) : new Map<string, string>()
  const closings = account.matches.flatMap((match): SettlingItem[] => {
    if ((match.debit !== id && match.credit !== id) || match.undoes !== null) return []
    const other = entries.get(match.debit === id ? match.credit : match.debit)
    if (!other) return []
    const isDocument = other.of === 'document'
    const label = isDocument
      ? `${INVOICE_KIND_LABELS[other.kind as InvoiceKind]} ${other.number}` // as above
      : getClosingLabel(other.kind, methods.get(other.id) ?? 'none')
    const of = isDocument ? ('invoice' as const) : ('payment' as const)
    return [{ id: other.id, of, label, bookedOn: other.bookedOn, amount: match.amount, undone: undone.has(match.id) }]
  })
  const open = computeAccountOpenAmounts(account).get(id) ?? 0
  const { seller } = invoice.snapshot as Pick<InvoiceSnapshot, 'seller'> // written by the issue alone
  const owed = invoice.kind !== 'creditNote' && open > 0 && seller?.iban
  const howToPay = owed
    ? { holder: seller.name, iban: seller.iban, bic: seller.bic, reference: invoice.number, amount: open }
    : null
  return { open, closings: closings.sort((a, b) => (a.bookedOn < b.bookedOn ? -1 : 1)), howToPay }
}

/** Accounts a payment can be recorded for, largest amount owed first. */
export async function loadPaymentChoices(db: Db, actor: Actor) {
  const { companyId } = actor
  const seen = await db
    .selectDistinct({
      sellerId: invoices.sellerId,
      buyerId: sql<string>`coalesce(${invoices.buyerId}, ${invoices.clientSellerId})`,
    })
    .from(invoices)
    .where(invoiceScope(actor))
  const mine = new Set(seen.map(({ sellerId, buyerId }) => `${sellerId} ${buyerId}`))
  const getBuyerId = ({ buyerId, clientSellerId }: SellerBuyerPair) => buyerId ?? clientSellerId ?? ''
  const accounts = (await loadPairAccounts(db, companyId)).filter(({ pair }) =>
    mine.has(`${pair.sellerId} ${getBuyerId(pair)}`),
  )
  // A producer that owes fees is a seller in its own right too.
  const sellerIds = new Set(accounts.flatMap(({ pair }) => [pair.sellerId, pair.clientSellerId ?? pair.sellerId]))
  const names = new Map([
    ...(await loadNames(db, sellers, companyId, [...sellerIds])),
    ...(await loadNames(db, participants, companyId, [...new Set(accounts.flatMap(({ pair }) => pair.buyerId ?? []))])),
  ])
  const toNamed = (id: string) => ({ id, name: names.get(id) ?? '' })
  const pairs = accounts.map((account) => {
    const open = computeAccountOpenAmounts(account)
    const owed = account.entries.reduce((sum, { id, side }) => sum + (side === 'debit' ? (open.get(id) ?? 0) : 0), 0)
    return { seller: toNamed(account.pair.sellerId), buyer: toNamed(getBuyerId(account.pair)), open: owed }
  })
  const banks = await db
    .select({ id: bankAccounts.id, name: bankAccounts.name, ownerId: bankAccounts.ownerId })
    .from(bankAccounts)
    .where(and(eq(bankAccounts.companyId, companyId), eq(bankAccounts.kind, 'bank')))
    .orderBy(asc(bankAccounts.name))
  return { pairs: pairs.sort((a, b) => a.buyer.name.localeCompare(b.buyer.name, 'fr')), accounts: banks }
}
