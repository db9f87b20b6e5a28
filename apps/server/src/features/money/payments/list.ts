import type { PaymentQuery, PaymentRow as Shown } from '@voisol/contract/payments'
import { and, desc, eq, gte, inArray, lte, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords as found, toLimitOffset } from '../../../db/list.ts'
import { payments } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { computeOpenAmountsOfAccounts, isCreditKind, loadPairAccounts } from '../invoices/invoices.ts'
import { getPlacement, type PaymentRecord } from './post.ts'
import { paymentScope } from './scope.ts'

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
