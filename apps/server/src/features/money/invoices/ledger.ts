import type { Ageing, InvoiceState, InvoiceTotals } from '@voisol/contract/invoice-views'
import { daysBetween } from '@voisol/money/days'
import { type OffsetItem, offset } from '@voisol/money/offset'
import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'

const COLUMNS = {
  id: invoices.id,
  sellerId: invoices.sellerId,
  buyerId: invoices.buyerId,
  clientSellerId: invoices.clientSellerId,
  kind: invoices.kind,
  number: invoices.number,
  dueOn: invoices.dueOn,
  gross: invoices.gross,
  correctsId: invoices.correctsId,
}
export type LedgerRow = Pick<typeof invoices.$inferSelect, keyof typeof COLUMNS>
/** By document: what is left to be paid, or of a credit note what is left to the buyer. */
export type Open = ReadonlyMap<string, number>

const pairOf = ({ sellerId, buyerId, clientSellerId }: LedgerRow) => `${sellerId} ${buyerId ?? clientSellerId}`

function openOfPair(rows: LedgerRow[]): [string, number][] {
  const numbers = new Map(rows.map(({ id, number }) => [id, number]))
  const items = rows.flatMap(({ kind, number, dueOn, gross, correctsId }): OffsetItem[] => {
    if (kind === 'statement') return []
    if (kind !== 'creditNote') return [{ kind: 'invoice', number, due: dueOn, open: gross }]
    return [{ kind: 'creditNote', number, original: numbers.get(correctsId ?? '') ?? '', open: gross }]
  })
  const { open, moves } = offset(items)
  const left = new Map(moves.filter(({ invoice }) => invoice === null).map(({ credit, amount }) => [credit, amount]))
  return rows.map(({ id, number, kind }) => [id, (kind === 'creditNote' ? left.get(number) : open[number]) ?? 0])
}

/** Credit notes against the invoices of the same seller and buyer: each its own original, then the oldest due. */
export const openOf = (rows: readonly LedgerRow[]): Open =>
  new Map([...Map.groupBy(rows, pairOf).values()].flatMap(openOfPair))

/** All documents of a company, or of some buyers: a credit note may settle what another list would leave out. */
export async function readOpen(db: Db, companyId: number, buyerIds?: string[]): Promise<Open> {
  const whose = buyerIds && inArray(invoices.buyerId, buyerIds)
  const rows = await db
    .select(COLUMNS)
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), whose))
  return openOf(rows)
}

type Standing = { kind: string; dueOn: string; open: number }

export function stateOf({ kind, dueOn, open }: Standing, today: string): InvoiceState {
  if (kind === 'statement') return 'told'
  if (open === 0) return 'settled'
  if (kind === 'creditNote') return 'credit'
  return dueOn < today ? 'overdue' : 'due'
}

const bucketOf = (dueOn: string, today: string): keyof Ageing => {
  const late = daysBetween(dueOn, today)
  if (late <= 0) return 'notDue'
  if (late <= 30) return 'upTo30'
  return late <= 60 ? 'upTo60' : 'over60'
}

type Summed = { kind: string; net: number; tax: number; gross: number; wh?: number }
const SIGNS: Record<string, { money: number; energy: number }> = {
  creditNote: { money: -1, energy: -1 },
  // It tells energy that nobody pays for.
  statement: { money: 0, energy: 1 },
}
const ADDED = { money: 1, energy: 1 }

/** What documents come to, wherever they are summed: a credit note takes away what the others add. */
export function sumOf(rows: readonly Summed[]) {
  const totals = { wh: 0, net: 0, tax: 0, gross: 0 }
  for (const { kind, wh = 0, net, tax, gross } of rows) {
    const { money, energy } = SIGNS[kind] ?? ADDED
    totals.wh += energy * wh
    totals.net += money * net
    totals.tax += money * tax
    totals.gross += money * gross
  }
  return totals
}

type Counted = Standing & { net: number; tax: number; gross: number; state: InvoiceState }

/** What a list of documents comes to, and what is left of it. */
export function totalsOf(rows: readonly Counted[], today: string): InvoiceTotals {
  const ageing: Ageing = { notDue: 0, upTo30: 0, upTo60: 0, over60: 0 }
  const { net, tax, gross } = sumOf(rows)
  const totals = { documents: rows.length, net, tax, gross, open: 0, overdue: 0, credit: 0 }
  for (const row of rows) {
    if (row.state === 'credit') totals.credit += row.open
    if (row.state !== 'due' && row.state !== 'overdue') continue
    totals.open += row.open
    if (row.state === 'overdue') totals.overdue += row.open
    ageing[bucketOf(row.dueOn, today)] += row.open
  }
  return { ...totals, ageing }
}
