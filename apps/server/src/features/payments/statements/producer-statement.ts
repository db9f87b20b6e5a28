import type { InvoiceKind } from '@voisol/contract/money'
import { FeePart } from '@voisol/contract/sellers'
import type { ProducerStatement, statements } from '@voisol/contract/statements'
import { computeProducerStatement } from '@voisol/money/accounts/producer-statement'
import { isDayInPeriod } from '@voisol/money/days'
import type { IssuedKind } from '@voisol/money/document'
import { and, asc, eq, gte, isNotNull, isNull, lt, max, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { invoices, producerStatements } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { loadOrganisersByOperation, loadSellers, type SellerRow } from '../../billing/parties/index.ts'
import { loadCollectedAmounts } from '../payments/index.ts'

export type SoldDocument = {
  id: string
  sellerId: string
  operationId: string
  number: string
  kind: InvoiceKind
  buyer: string
  issuedOn: string
  wh: number
  net: number
  tax: number
  gross: number
}

/** First day of the next month. */
export const getNextMonthStart = (month: string): string =>
  Temporal.PlainDate.from(month).add({ months: 1 }).with({ day: 1 }).toString()

type SoldDocumentsFilter = { sellerId?: string; from: string; to: string }

/** Documents issued in sellers' names by day of issue, without statements, which are no sale. */
export async function loadSoldDocuments(
  db: Db,
  companyId: number,
  { sellerId, from, to }: SoldDocumentsFilter,
): Promise<SoldDocument[]> {
  const rows = await db
    .select({
      id: invoices.id,
      sellerId: invoices.sellerId,
      operationId: sql<string>`${invoices.operationId}`,
      number: invoices.number,
      kind: invoices.kind,
      buyer: sql<string>`${invoices.snapshot} -> 'buyer' ->> 'name'`,
      issuedOn: invoices.issuedOn,
      wh: invoices.wh,
      net: invoices.net,
      tax: invoices.tax,
      gross: invoices.gross,
    })
    .from(invoices)
    .where(
      and(
        eq(invoices.companyId, companyId),
        sellerId ? eq(invoices.sellerId, sellerId) : undefined,
        gte(invoices.issuedOn, from),
        lt(invoices.issuedOn, to),
        ne(invoices.kind, 'statement'),
        // Sales outside operations belong to no producer.
        isNotNull(invoices.operationId),
      ),
    )
    .orderBy(asc(invoices.sellerId), asc(invoices.position))
  // The column only stores kinds of the contract.
  return rows.map((row) => ({ ...row, kind: row.kind as InvoiceKind }))
}

const ISSUED_KINDS: Record<string, IssuedKind> = {
  invoice: 'invoice',
  complement: 'complement',
  creditNote: 'creditNote',
}

const parseManagementFees = ({ managementFees }: SellerRow): FeePart[] => FeePart.array().parse(managementFees)

/**
 * Amounts received on accounts of others; null when nobody collects for the producer: the payable amount is then
 * unknown, not zero.
 */
type CollectedCash = { collected: number | null; brought: number }

/** A producer's month from its documents and the amounts collected for it. */
function computeStatement(
  seller: SellerRow,
  month: string,
  sold: readonly SoldDocument[],
  feeRate: number,
  { collected, brought }: CollectedCash,
): Omit<ProducerStatement, 'settled' | 'waits'> {
  const documents = sold.flatMap(({ kind, wh, net, tax, gross }) => {
    const issued = ISSUED_KINDS[kind]
    return issued ? [{ kind: issued, wh, net, tax, gross }] : []
  })
  // A month without sales has no fees, fixed ones included: it is never settled.
  const fees = documents.length > 0 ? parseManagementFees(seller) : []
  const { sales, feeParts, fee, result, payable } = computeProducerStatement({
    documents,
    fee: { rate: feeRate, parts: fees },
    collected,
    brought,
  })
  return {
    sellerId: seller.id,
    seller: seller.name,
    month,
    documents: documents.length,
    sales,
    fees: fees.map((terms, at) => ({ terms, cents: feeParts[at] ?? 0 })),
    fee,
    collected,
    result,
    payable,
  }
}

type StatementRow = typeof producerStatements.$inferSelect
const getPreviousMonth = (month: string): string => Temporal.PlainDate.from(month).subtract({ months: 1 }).toString()

type Statement = z.output<typeof ProducerStatement>
export type FrozenStatement = Omit<Statement, 'settled' | 'waits'>

type Organisers = Awaited<ReturnType<typeof loadOrganisersByOperation>>

/** The organiser of a producer: the one of the operations where it sold, if they all have the same. */
export function findOrganiser(organisers: Organisers, sold: readonly SoldDocument[], sellers: SellerRow[]) {
  const ids = new Set(sold.map(({ operationId }) => organisers.get(operationId) ?? null))
  const [only] = ids
  return ids.size === 1 ? sellers.find(({ id }) => id === only) : undefined
}

/** Fees bear VAT if the organiser charges VAT on the last day of the month. */
function getFeeRate(seller: SellerRow, organiser: SellerRow | undefined, month: string): number {
  const last = Temporal.PlainDate.from(getNextMonthStart(month)).subtract({ days: 1 }).toString()
  const mode = organiser?.vat.find((span) => isDayInPeriod(span, last))?.mode
  return mode === 'standard' ? seller.managementFeeRate : 0
}

/** Why a statement cannot be settled yet; empty when it can. */
function findSettleObstacle(statement: FrozenStatement, organiser: SellerRow | undefined): string {
  if (getNextMonthStart(statement.month) > getToday())
    return 'Le mois n’est pas fini\u00a0: d’autres documents peuvent encore être émis.'
  if (statement.documents === 0) return 'Rien n’a été émis en son nom ce mois-ci.'
  if (statement.fee.gross > 0 && !organiser)
    return 'L’organisateur qui facture les frais n’est pas choisi, ou diffère d’une opération à l’autre\u00a0: indiquez-le dans la facturation de chaque opération.'
  return ''
}

async function loadSettledStatements(db: Db, companyId: number, from: string, to: string) {
  const rows = await db
    .select({ row: producerStatements, number: invoices.number })
    .from(producerStatements)
    .leftJoin(
      invoices,
      and(eq(invoices.companyId, producerStatements.companyId), eq(invoices.id, producerStatements.invoiceId)),
    )
    .where(
      and(
        eq(producerStatements.companyId, companyId),
        gte(producerStatements.month, from),
        lt(producerStatements.month, to),
      ),
    )
  return new Map(rows.map(({ row, number }) => [`${row.sellerId} ${row.month}`, { row, number: number ?? '' }]))
}

/** By seller and month, the amounts collected for it and any debt carried over from the previous statement. */
async function loadCashFinder(
  db: Db,
  companyId: number,
  months: string[],
  settled: Map<string, { row: StatementRow }>,
) {
  const cash = new Map<string, CollectedCash>()
  for (const month of months) {
    for (const [key, sum] of await loadCollectedAmounts(db, companyId, { from: month, to: getNextMonthStart(month) })) {
      const [sellerId = ''] = key.split(' ')
      const before = settled.get(`${sellerId} ${getPreviousMonth(month)}`)
      // Only written by `settleStatement`.
      const left = before ? ((before.row.snapshot as FrozenStatement).payable ?? 0) : 0
      const known = cash.get(`${sellerId} ${month}`)?.collected ?? 0
      cash.set(`${sellerId} ${month}`, { collected: known + sum, brought: Math.min(left, 0) })
    }
  }
  return (sellerId: string, month: string): CollectedCash =>
    cash.get(`${sellerId} ${month}`) ?? { collected: null, brought: 0 }
}

/** Statements of sellers over months of issue: stored ones when settled, otherwise computed today. */
async function loadStatements(db: Db, companyId: number, months: string[], only?: string): Promise<Statement[]> {
  const [from = '', to = ''] = [months[0], getNextMonthStart(months.at(-1) ?? '')]
  const sellers = await loadSellers(db, companyId)
  const sold = await loadSoldDocuments(db, companyId, { from, to, ...(only && { sellerId: only }) })
  const settled = await loadSettledStatements(db, companyId, getPreviousMonth(from), to)
  const cash = await loadCashFinder(db, companyId, months, settled)
  const organisers = await loadOrganisersByOperation(db, companyId)
  const wantedSellers = sellers.filter(({ id }) => only === undefined || id === only)
  const found: Statement[] = []
  for (const month of months)
    for (const seller of wantedSellers) {
      const settledRow = settled.get(`${seller.id} ${month}`)
      const own = sold.filter(
        ({ sellerId, issuedOn }) => sellerId === seller.id && issuedOn.startsWith(month.slice(0, 7)),
      )
      if (settledRow) {
        const { createdAt, createdBy, invoiceId } = settledRow.row
        const settledBy = { at: createdAt.toISOString(), by: createdBy, invoiceId, invoiceNumber: settledRow.number }
        // Only written by `settleStatement`.
        found.push({ ...(settledRow.row.snapshot as FrozenStatement), settled: settledBy, waits: '' })
        continue
      }
      const organiser = findOrganiser(organisers, own, sellers)
      const statement = computeStatement(
        seller,
        month,
        own,
        getFeeRate(seller, organiser, month),
        cash(seller.id, month),
      )
      found.push({ ...statement, settled: null, waits: findSettleObstacle(statement, organiser) })
    }
  return found
}

const toFirstDay = (month: string) => `${month}-01`

/** The last finished month with documents; otherwise the current month if it has any, or the previous one. */
async function loadLastMonth(db: Db, companyId: number): Promise<string> {
  const running = getToday().slice(0, 7)
  const issued = (before: string) =>
    db
      .select({ on: max(invoices.issuedOn) })
      .from(invoices)
      .where(and(eq(invoices.companyId, companyId), isNull(invoices.clientSellerId), lt(invoices.issuedOn, before)))
  const [over] = await issued(toFirstDay(running))
  const [ever] = await issued(getNextMonthStart(toFirstDay(running)))
  return (over?.on ?? ever?.on ?? getPreviousMonth(toFirstDay(running))).slice(0, 7)
}

/** Sellers with sales in the month, or whose month was settled. */
export async function listProducerStatements(db: Db, { companyId }: Actor, requestedMonth?: string) {
  const month = requestedMonth ?? (await loadLastMonth(db, companyId))
  const items = await loadStatements(db, companyId, [toFirstDay(month)])
  return { month, items: items.filter(({ documents, settled }) => documents > 0 || settled) }
}

export async function loadStatement(db: Db, { companyId }: Actor, sellerId: string, month: string) {
  const [statement] = await loadStatements(db, companyId, [toFirstDay(month)], sellerId)
  if (!statement) throw new AppError('not-found')
  const sold = await loadSoldDocuments(db, companyId, {
    sellerId,
    from: toFirstDay(month),
    to: getNextMonthStart(toFirstDay(month)),
  })
  const items = sold.map(({ sellerId: _, operationId: _o, ...document }) => document)
  return { ...statement, items }
}

export async function loadStatementYear(
  db: Db,
  { companyId }: Actor,
  sellerId: string,
  year: number,
): Promise<z.output<typeof statements.year.response>> {
  const months = Array.from({ length: 12 }, (_, at) => `${year}-${String(at + 1).padStart(2, '0')}-01`)
  const all = await loadStatements(db, companyId, months, sellerId)
  const [first] = all
  if (!first) throw new AppError('not-found')
  const sum = (figure: (one: Statement) => number) => all.reduce((total, one) => total + figure(one), 0)
  const total = {
    wh: sum(({ sales }) => sales.wh),
    net: sum(({ sales }) => sales.net),
    tax: sum(({ sales }) => sales.tax),
    gross: sum(({ sales }) => sales.gross),
    fees: sum(({ fee }) => fee.gross),
  }
  return { sellerId, seller: first.seller, months: all, total }
}
