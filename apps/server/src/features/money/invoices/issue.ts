import { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { addDays } from '@voisol/money/days'
import { and, eq, sql } from 'drizzle-orm'
import { chosenColour } from '../../../core/brand.ts'
import { recordEach } from '../../../core/events.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'
import type { Secrets } from '../../../secrets.ts'
import { today } from '../../../today.ts'
import { documentHash, signDocument } from './chain.ts'
import { columnsOf } from './columns.ts'
import { type DebitOf, debitTerms } from './debit-terms.ts'
import { lockSeries, moveSeries, numberOf, type Series, type SeriesKind, seriesName } from './series.ts'

/** A document that has neither number nor day yet. */
export type SnapshotDraft = {
  seriesKind: SeriesKind
  dueDays: number
  snapshot: Omit<InvoiceSnapshot, 'number' | 'issuedOn' | 'dueOn'>
  /** The producer whom the organiser invoices: its buyer is a seller, not a participant. */
  clientSellerId?: string
}
export type IssueOrder = {
  companyId: number
  /** None for what is sold beside operations. */
  operationId: string | null
  computationId: string | null
  issuedBy: string
  drafts: SnapshotDraft[]
  /** Another day than today: what tells a past, such as the demo. A series never goes back. */
  on?: string | undefined
}
type Row = typeof invoices.$inferInsert & { id: string; snapshot: InvoiceSnapshot }

/** Two who issue the same computation wait for each other here, whatever year their clocks show. */
const lockComputation = (tx: Db, companyId: number, id: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`issue ${companyId} ${id}`}, 0))`)

type Named = { sellerId: string; buyerId: string | null; apart: boolean }
const nameOf = ({ sellerId, buyerId, apart }: Named) => `${sellerId} ${buyerId} ${apart}`
const buyerOf = ({ snapshot, clientSellerId }: SnapshotDraft) => (clientSellerId ? null : snapshot.buyer.id)
const draftName = (draft: SnapshotDraft) =>
  nameOf({ sellerId: draft.snapshot.seller.id, buyerId: buyerOf(draft), apart: draft.snapshot.apart })

async function namesIssued(tx: Db, companyId: number, computationId: string | null): Promise<Set<string>> {
  if (!computationId) return new Set()
  await lockComputation(tx, companyId, computationId)
  const rows = await tx
    .select({ sellerId: invoices.sellerId, buyerId: invoices.buyerId, apart: invoices.apart })
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), eq(invoices.computationId, computationId)))
  return new Set(rows.map(nameOf))
}

const Undated = InvoiceSnapshot.omit({ number: true, issuedOn: true, dueOn: true })

/** Everything that could be wrong with a draft is found before a number is taken. */
function checked(draft: SnapshotDraft, operationId: string | null): SnapshotDraft {
  const snapshot = Undated.parse(draft.snapshot)
  if ((snapshot.kind === 'statement') !== (draft.seriesKind === 'statement'))
    throw new Error(`a ${snapshot.kind} does not stand in the series of ${draft.seriesKind}s`)
  if (snapshot.operation.id !== operationId) throw new Error('a document of another operation')
  return { ...draft, snapshot }
}

function checkedAll({ drafts, operationId }: IssueOrder): SnapshotDraft[] {
  if (new Set(drafts.map(draftName)).size < drafts.length)
    throw new Error('a computation gives a seller and a buyer one document')
  return drafts.map((draft) => checked(draft, operationId))
}

type Numbering = { secrets: Pick<Secrets, 'stamp'>; order: IssueOrder; day: string; debitOf: DebitOf }

/** Gives a draft the next number of its series, and moves the series on. */
function numbered(series: Series, draft: SnapshotDraft, { secrets, order, day, debitOf }: Numbering): Row {
  // A clock that went back does not put a document before the last one.
  const issuedOn = series.lastOn !== null && series.lastOn > day ? series.lastOn : day
  const position = series.last + 1
  const dated = { number: numberOf(series, position), issuedOn, dueOn: addDays(issuedOn, draft.dueDays) }
  const debit = debitOf({ ...draft.snapshot, issuedOn }, buyerOf(draft), draft.dueDays)
  const snapshot: InvoiceSnapshot = { ...draft.snapshot, ...dated, ...(debit && { debit }) }
  const previousHash = series.lastHash
  const hash = documentHash(previousHash, snapshot)
  Object.assign(series, { last: position, lastOn: issuedOn, lastHash: hash })
  const place = { companyId: order.companyId, seriesId: series.id, position, hash }
  const chain = { ...place, previousHash, signature: signDocument(secrets, place) }
  return {
    id: crypto.randomUUID(),
    computationId: order.computationId,
    ...columnsOf(snapshot),
    buyerId: buyerOf(draft),
    clientSellerId: draft.clientSellerId ?? null,
    ...chain,
    snapshot,
    issuedAt: new Date(),
    issuedBy: order.issuedBy,
  }
}

const CHUNK = 100

async function write(tx: Db, rows: Row[], moved: Series[]) {
  for (let at = 0; at < rows.length; at += CHUNK) await tx.insert(invoices).values(rows.slice(at, at + CHUNK))
  for (const series of moved) await moveSeries(tx, series)
}

const told = ({ id, sellerId, buyerId, snapshot, operationId }: Row) => ({
  object: id,
  data: {
    invoiceId: id,
    operationId: operationId ?? null,
    sellerId,
    buyerId: buyerId ?? null,
    kind: snapshot.kind,
    number: snapshot.number,
    gross: snapshot.totals.gross,
  },
})

/**
 * Numbers, dates, freezes, chains and signs what was drafted, within the caller's transaction. What this computation gave the same
 * seller and buyer already is passed over without taking a number. It tells of each document, so it is called last.
 */
export const issueDocuments = (db: Db, secrets: Pick<Secrets, 'stamp'>, order: IssueOrder) =>
  transaction(db, async (tx) => {
    const drafts = checkedAll(order)
    const known = await namesIssued(tx, order.companyId, order.computationId)
    const wanted = drafts.filter((draft) => !known.has(draftName(draft)))
    const already = drafts.length - wanted.length
    if (!wanted.length) return { issued: 0, already, ids: [] }
    const day = order.on ?? today()
    const names = wanted.map(({ snapshot, seriesKind }) => ({ sellerId: snapshot.seller.id, kind: seriesKind }))
    const series = await lockSeries(tx, order.companyId, names, Number(day.slice(0, 4)))
    const buyerIds = [...new Set(wanted.flatMap((draft) => buyerOf(draft) ?? []))]
    const debitOf = await debitTerms(tx, order.companyId, day, buyerIds)
    const colour = await chosenColour(tx, order.companyId)
    const numbering = { secrets, order, day, debitOf }
    const used = new Set<Series>()
    const look = colour ? { look: { colour } } : {}
    const rows = wanted.map((draft) => {
      const own = series.get(seriesName({ sellerId: draft.snapshot.seller.id, kind: draft.seriesKind }))
      if (!own) throw new Error('its series was locked')
      used.add(own)
      return numbered(own, { ...draft, snapshot: { ...draft.snapshot, ...look } }, numbering)
    })
    await write(tx, rows, [...used])
    await recordEach(tx, order.companyId, 'invoice.issued', rows.map(told))
    return { issued: rows.length, already, ids: rows.map(({ id }) => id) }
  })
