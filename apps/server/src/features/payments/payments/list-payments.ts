import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { INVOICE_KIND_LABELS, type InvoiceKind } from '@voisol/contract/money'
import {
  PAYMENT_KIND_LABELS,
  PAYMENT_METHOD_LABELS,
  type PaymentKind,
  type PaymentMethod,
} from '@voisol/contract/payment-labels'
import type { BuyerAccount, PaymentQuery, SettlingItem, PaymentRow as Shown } from '@voisol/contract/payments'
import { and, asc, desc, eq, gte, inArray, lte, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { participantIdsOfUser } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords as found, toLimitOffset } from '../../../db/list-query.ts'
import { bankAccounts, invoices, participants, payments, sellers } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import {
  computeAccountOpenAmounts,
  computeOpenAmountsOfAccounts,
  invoiceScope,
  isCreditKind,
  loadPairAccounts,
  type SellerBuyerPair,
} from '../../billing/invoices/index.ts'
import { loadAccountMovements } from './open-items.ts'
import { getPlacement, loadPairAccount, type PaymentRecord } from './post-payment.ts'

/**
 * The company's payments; for a limited user, those of accounts with a document of their operations; in the portal,
 * one's own.
 */
export const paymentScope = (actor: Actor): SQL | undefined =>
  and(
    eq(payments.companyId, actor.companyId),
    actor.space === 'portal'
      ? sql`${payments.buyerId} in ${participantIdsOfUser(actor)}`
      : actor.operationIds
        ? sql`exists (select 1 from invoices i where i.company_id = payments.company_id
            and i.seller_id = payments.seller_id and i.buyer_id is not distinct from payments.buyer_id
            and i.client_seller_id is not distinct from payments.client_seller_id
            and i.operation_id = any(${sql.param([...actor.operationIds])}::uuid[]))`
        : undefined,
  )

type Query = z.output<typeof PaymentQuery>

// Table names are written out: without them a column would be that of the inner table.
const buyerName = sql<string>`coalesce(
  (select p.name from participants p where p.company_id = payments.company_id and p.id = payments.buyer_id),
  (select s.name from sellers s where s.company_id = payments.company_id and s.id = payments.client_seller_id), '')`
const sellerName = sql<string>`(select s.name from sellers s
  where s.company_id = payments.company_id and s.id = payments.seller_id)`
const reversedOn = sql<string | null>`(select r.booked_on::text from payments r
  where r.company_id = payments.company_id and r.reverses_id = payments.id)`
const SORTS = {
  bookedOn: sql`(${payments.bookedOn}, ${payments.createdAt})`,
  amount: payments.amount,
  buyer: sql`fold(${buyerName})`,
}

const buildPaymentFilter = (query: Partial<Query>): SQL | undefined =>
  and(
    query.sellerId ? eq(payments.sellerId, query.sellerId) : undefined,
    query.buyerId ? eq(payments.buyerId, query.buyerId) : undefined,
    query.kind && eq(payments.kind, query.kind),
    query.method && eq(payments.method, query.method),
    query.from ? gte(payments.bookedOn, query.from) : undefined,
    query.to ? lte(payments.bookedOn, query.to) : undefined,
    found(query.q, [buyerName, sellerName, payments.note, sql`to_char(${payments.amount} / 100.0, 'FM999999990D00')`]),
  )

const PAYMENT_COLUMNS = { row: payments, buyerName, sellerName, reversedOn }
type PaymentListRow = { row: PaymentRecord; buyerName: string; sellerName: string; reversedOn: string | null }

/** Adds what each payment closed, read by account since only documents have a number. */
async function loadPaymentViews(db: Db, companyId: number, rows: PaymentListRow[]): Promise<Shown[]> {
  const buyerIds = [...new Set(rows.flatMap(({ row }) => row.buyerId ?? []))]
  const own = rows.some(({ row }) => row.clientSellerId) ? {} : { buyerIds }
  const accounts = rows.length ? await loadPairAccounts(db, companyId, own) : []
  const [open, accountByEntry] = [
    computeOpenAmountsOfAccounts(accounts),
    new Map(accounts.flatMap((one) => one.entries.map(({ id }) => [id, one]))),
  ]
  return rows.map(({ row, ...names }) => {
    const account = accountByEntry.get(row.id)
    return {
      id: row.id,
      kind: row.kind as Shown['kind'], // the columns only store these values
      method: row.method as Shown['method'],
      amount: row.amount,
      bookedOn: row.bookedOn,
      seller: { id: row.sellerId, name: names.sellerName },
      buyer: { id: row.buyerId ?? row.clientSellerId ?? '', name: names.buyerName },
      producer: row.clientSellerId !== null,
      note: row.note,
      by: row.createdBy,
      matched: account && isCreditKind(row.kind) ? getPlacement(account, row.id).matched : [],
      open: open.get(row.id) ?? 0,
      reversedOn: names.reversedOn,
    }
  })
}

/** Totals of all matching payments: received minus undone, returned by banks, and still unused. */
async function loadPaymentTotals(db: Db, actor: Actor, where: SQL | undefined) {
  const rows = await db
    .select({ id: payments.id, kind: payments.kind, amount: payments.amount, reverses: payments.reversesId })
    .from(payments)
    .where(where)
  const open = rows.length
    ? computeOpenAmountsOfAccounts(await loadPairAccounts(db, actor.companyId))
    : new Map<string, number>()
  const undone = new Set(rows.filter(({ kind }) => kind === 'undo').map(({ reverses }) => reverses))
  const receipts = rows.filter(({ id, kind }) => kind === 'receipt' && !undone.has(id))
  const sum = (list: { amount: number }[]) => list.reduce((total, { amount }) => total + amount, 0)
  return {
    received: sum(receipts),
    returned: sum(rows.filter(({ kind }) => kind === 'return')),
    advance: receipts.reduce((total, { id }) => total + (open.get(id) ?? 0), 0),
  }
}

export async function listPayments(db: Db, actor: Actor, query: Query) {
  const where = and(paymentScope(actor), buildPaymentFilter(query))
  const { limit, offset } = toLimitOffset(query)
  const rows = await db
    .select(PAYMENT_COLUMNS)
    .from(payments)
    .where(where)
    .orderBy(buildOrderBy(query.sort, SORTS, '-bookedOn'), desc(payments.createdAt))
    .limit(limit)
    .offset(offset)
  const items = await loadPaymentViews(db, actor.companyId, rows)
  return { items, total: await db.$count(payments, where), totals: await loadPaymentTotals(db, actor, where) }
}

export async function loadPayment(db: Db, actor: Actor, id: string): Promise<Shown> {
  const rows = await db
    .select(PAYMENT_COLUMNS)
    .from(payments)
    .where(and(paymentScope(actor), inArray(payments.id, [id])))
  const [row] = await loadPaymentViews(db, actor.companyId, rows)
  if (!row) throw new AppError('not-found')
  return row
}

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
