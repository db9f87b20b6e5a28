import type { ProducerStatement, statements } from '@voisol/contract/statements'
import { covers } from '@voisol/money/days'
import { and, eq, gte, isNull, lt, max } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { invoices, producerStatements } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { today } from '../../../today.ts'
import { organisersOf, type SellerRow, sellersOf } from '../parties/parties.ts'
import { collectedFor } from '../payments/payments.ts'
import { type Cash, computeStatement } from './compute.ts'
import { monthAfter, type SoldDocument, soldIn } from './documents.ts'

type Told = typeof producerStatements.$inferSelect
const monthBefore = (month: string): string => Temporal.PlainDate.from(month).subtract({ months: 1 }).toString()

type Statement = z.output<typeof ProducerStatement>
export type Frozen = Omit<Statement, 'settled' | 'waits'>

type Organisers = Awaited<ReturnType<typeof organisersOf>>

/** The organiser who works for a producer: of the operations in which it sold, if they agree on one. */
export function organiserOf(organisers: Organisers, sold: readonly SoldDocument[], sellers: SellerRow[]) {
  const ids = new Set(sold.map(({ operationId }) => organisers.get(operationId) ?? null))
  const [only] = ids
  return ids.size === 1 ? sellers.find(({ id }) => id === only) : undefined
}

/** Its fees bear VAT if the organiser charges any on the last day of the month. */
export function feeRateOf(seller: SellerRow, organiser: SellerRow | undefined, month: string): number {
  const last = Temporal.PlainDate.from(monthAfter(month)).subtract({ days: 1 }).toString()
  const mode = organiser?.vat.find((span) => covers(span, last))?.mode
  return mode === 'standard' ? seller.managementFeeRate : 0
}

/** Why nothing can be settled yet; empty where it can. */
function waitsFor(statement: Frozen, organiser: SellerRow | undefined): string {
  if (monthAfter(statement.month) > today())
    return 'Le mois n’est pas fini\u00a0: d’autres documents peuvent encore être émis.'
  if (statement.documents === 0) return 'Rien n’a été émis en son nom ce mois-ci.'
  if (statement.fee.gross > 0 && !organiser)
    return 'L’organisateur qui facture les frais n’est pas choisi, ou diffère d’une opération à l’autre\u00a0: indiquez-le dans la facturation de chaque opération.'
  return ''
}

async function settledOf(db: Db, companyId: number, from: string, to: string) {
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

/** By seller and month what was collected for it, and what a statement before left to be made good. */
async function cashOf(db: Db, companyId: number, months: string[], settled: Map<string, { row: Told }>) {
  const cash = new Map<string, Cash>()
  for (const month of months) {
    for (const [key, sum] of await collectedFor(db, companyId, { from: month, to: monthAfter(month) })) {
      const [sellerId = ''] = key.split(' ')
      const before = settled.get(`${sellerId} ${monthBefore(month)}`)
      // Written by `settle` alone.
      const left = before ? ((before.row.snapshot as Frozen).payable ?? 0) : 0
      const known = cash.get(`${sellerId} ${month}`)?.collected ?? 0
      cash.set(`${sellerId} ${month}`, { collected: known + sum, brought: Math.min(left, 0) })
    }
  }
  return (sellerId: string, month: string): Cash => cash.get(`${sellerId} ${month}`) ?? { collected: null, brought: 0 }
}

/** The statements of sellers over months of issue: as told where settled, as computed today elsewhere. */
async function statementsOver(db: Db, companyId: number, months: string[], only?: string): Promise<Statement[]> {
  const [from = '', to = ''] = [months[0], monthAfter(months.at(-1) ?? '')]
  const sellers = await sellersOf(db, companyId)
  const sold = await soldIn(db, companyId, { from, to, ...(only && { sellerId: only }) })
  const settled = await settledOf(db, companyId, monthBefore(from), to)
  const cash = await cashOf(db, companyId, months, settled)
  const organisers = await organisersOf(db, companyId)
  const wanted = sellers.filter(({ id }) => only === undefined || id === only)
  const found: Statement[] = []
  for (const month of months)
    for (const seller of wanted) {
      const told = settled.get(`${seller.id} ${month}`)
      const own = sold.filter(
        ({ sellerId, issuedOn }) => sellerId === seller.id && issuedOn.startsWith(month.slice(0, 7)),
      )
      if (told) {
        const { createdAt, createdBy, invoiceId } = told.row
        const word = { at: createdAt.toISOString(), by: createdBy, invoiceId, invoiceNumber: told.number }
        // Written by `settle` alone.
        found.push({ ...(told.row.snapshot as Frozen), settled: word, waits: '' })
        continue
      }
      const organiser = organiserOf(organisers, own, sellers)
      const statement = computeStatement(
        seller,
        month,
        own,
        feeRateOf(seller, organiser, month),
        cash(seller.id, month),
      )
      found.push({ ...statement, settled: null, waits: waitsFor(statement, organiser) })
    }
  return found
}

const firstDay = (month: string) => `${month}-01`

/** The last month of issue that is over and has something; where there is none, the one that runs if it has, or the last. */
async function lastMonth(db: Db, companyId: number): Promise<string> {
  const running = today().slice(0, 7)
  const issued = (before: string) =>
    db
      .select({ on: max(invoices.issuedOn) })
      .from(invoices)
      .where(and(eq(invoices.companyId, companyId), isNull(invoices.clientSellerId), lt(invoices.issuedOn, before)))
  const [over] = await issued(firstDay(running))
  const [ever] = await issued(monthAfter(firstDay(running)))
  return (over?.on ?? ever?.on ?? monthBefore(firstDay(running))).slice(0, 7)
}

/** Those who sold something that month, or whose month was settled. */
export async function listStatements(db: Db, { companyId }: Actor, asked?: string) {
  const month = asked ?? (await lastMonth(db, companyId))
  const items = await statementsOver(db, companyId, [firstDay(month)])
  return { month, items: items.filter(({ documents, settled }) => documents > 0 || settled) }
}

export async function getStatement(db: Db, { companyId }: Actor, sellerId: string, month: string) {
  const [statement] = await statementsOver(db, companyId, [firstDay(month)], sellerId)
  if (!statement) throw new AppError('not-found')
  const sold = await soldIn(db, companyId, { sellerId, from: firstDay(month), to: monthAfter(firstDay(month)) })
  const items = sold.map(({ sellerId: _, operationId: _o, ...document }) => document)
  return { ...statement, items }
}

export async function yearOf(
  db: Db,
  { companyId }: Actor,
  sellerId: string,
  year: number,
): Promise<z.output<typeof statements.year.response>> {
  const months = Array.from({ length: 12 }, (_, at) => `${year}-${String(at + 1).padStart(2, '0')}-01`)
  const all = await statementsOver(db, companyId, months, sellerId)
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
