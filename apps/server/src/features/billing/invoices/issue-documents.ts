import { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { computeCollection } from '@voisol/money/collection'
import { addDays } from '@voisol/money/days'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { loadCompanyColour } from '../../../core/brand.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { invoices, mandates } from '../../../db/schema/index.ts'
import { recordEvents } from '../../../events/events.ts'
import type { Secrets } from '../../../secrets.ts'
import { getToday } from '../../../today.ts'
import { type InvoiceParties, loadCreditorsOn } from '../parties/index.ts'
import { getSettingsOn, loadSettingHistory, type SettingHistory } from '../settings/index.ts'
import {
  computeDocumentHash,
  formatInvoiceNumber,
  getSequenceKey,
  type InvoiceSequence,
  type InvoiceSequenceKind,
  lockInvoiceSequences,
  saveSequencePosition,
  signDocument,
  toInvoiceColumns,
} from './invoice-sequence.ts'

type Debit = NonNullable<InvoiceSnapshot['debit']>
type DatedSnapshot = Pick<InvoiceSnapshot, 'kind' | 'seller' | 'totals' | 'issuedOn'>
type DebitFinder = (document: DatedSnapshot, buyerId: string | null, dueDays: number) => Debit | undefined

/** The active mandate by participant and creditor. */
async function loadActiveMandates(db: Db, companyId: number, buyerIds: string[]) {
  const rows = buyerIds.length
    ? await db
        .select()
        .from(mandates)
        .where(
          and(
            eq(mandates.companyId, companyId),
            eq(mandates.status, 'active'),
            inArray(mandates.participantId, buyerIds),
          ),
        )
    : []
  return new Map(rows.map((row) => [`${row.creditorId} ${row.participantId}`, row]))
}

/** How documents issued on a day are debited: on the first bank day when they are due and announced. */
async function loadDebitTerms(
  db: Db,
  companyId: number,
  { day, buyerIds, loaded }: { day: string; buyerIds: string[]; loaded: LoadedParties | undefined },
): Promise<DebitFinder> {
  const creditors = await loadCreditorsOn(db, companyId, day, loaded?.mandates)
  const active = await loadActiveMandates(db, companyId, buyerIds)
  const settings = getSettingsOn(loaded?.settingHistory ?? (await loadSettingHistory(db, companyId)), day)
  const [notice, lead] = [settings['debit.noticeDays'].value, settings['debit.leadDays'].value]
  return ({ kind, seller, totals, issuedOn }, buyerId, term) => {
    const creditor = creditors.get(seller.id)
    const mandate = active.get(`${creditor?.id} ${buyerId}`)
    const asks = (kind === 'invoice' || kind === 'complement') && totals.gross > 0
    if (!creditor || !mandate || !asks) return
    const { rum, ibanEnd } = mandate
    const { collection } = computeCollection({ issued: issuedOn, term, notified: issuedOn, notice, lead })
    return { creditor: creditor.name, ics: creditor.ics, rum, ibanEnd, collectionOn: collection }
  }
}

type LoadedParties = Pick<InvoiceParties, 'sellers' | 'mandates'> & { settingHistory: SettingHistory }

/** A document without a number or a date yet. */
export type SnapshotDraft = {
  seriesKind: InvoiceSequenceKind
  dueDays: number
  snapshot: Omit<InvoiceSnapshot, 'number' | 'issuedOn' | 'dueOn'>
  /** The producer that the organiser invoices: the buyer is a seller, not a participant. */
  clientSellerId?: string
}
export type IssueDocumentsInput = {
  companyId: number
  /** Null for sales outside operations. */
  operationId: string | null
  computationId: string | null
  issuedBy: string
  drafts: SnapshotDraft[]
  /** A day other than today, for demo data in the past. A series never goes back in time. */
  on?: string | undefined
  /** What the caller has read already; it is read here where it is left out. */
  loaded?: LoadedParties
}
type InvoiceInsert = typeof invoices.$inferInsert & { id: string; snapshot: InvoiceSnapshot }

/** Makes concurrent issues of one computation wait for each other, whatever year their clocks show. */
const lockComputation = (tx: Db, companyId: number, id: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`issue ${companyId} ${id}`}, 0))`)

type DocumentParties = { sellerId: string; buyerId: string | null; apart: boolean }
const getDocumentKey = ({ sellerId, buyerId, apart }: DocumentParties) => `${sellerId} ${buyerId} ${apart}`
const getBuyerId = ({ snapshot, clientSellerId }: SnapshotDraft) => (clientSellerId ? null : snapshot.buyer.id)
const getDraftKey = (draft: SnapshotDraft) =>
  getDocumentKey({ sellerId: draft.snapshot.seller.id, buyerId: getBuyerId(draft), apart: draft.snapshot.apart })

async function loadIssuedKeys(tx: Db, companyId: number, computationId: string | null): Promise<Set<string>> {
  if (!computationId) return new Set()
  await lockComputation(tx, companyId, computationId)
  const rows = await tx
    .select({ sellerId: invoices.sellerId, buyerId: invoices.buyerId, apart: invoices.apart })
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), eq(invoices.computationId, computationId)))
  return new Set(rows.map(getDocumentKey))
}

const UndatedSnapshot = InvoiceSnapshot.omit({ number: true, issuedOn: true, dueOn: true })

/** Validates a draft completely before it takes a number. */
function parseDraft(draft: SnapshotDraft, operationId: string | null): SnapshotDraft {
  const snapshot = UndatedSnapshot.parse(draft.snapshot)
  if ((snapshot.kind === 'statement') !== (draft.seriesKind === 'statement'))
    throw new Error(`a ${snapshot.kind} does not stand in the series of ${draft.seriesKind}s`)
  if (snapshot.operation.id !== operationId) throw new Error('a document of another operation')
  return { ...draft, snapshot }
}

function parseDrafts({ drafts, operationId }: IssueDocumentsInput): SnapshotDraft[] {
  if (new Set(drafts.map(getDraftKey)).size < drafts.length)
    throw new Error('a computation gives a seller and a buyer one document')
  return drafts.map((draft) => parseDraft(draft, operationId))
}

type NumberingContext = {
  secrets: Pick<Secrets, 'stamp'>
  order: IssueDocumentsInput
  day: string
  debitOf: DebitFinder
}

/** Gives a draft the next number of its series and advances the series. */
function numberDraft(
  sequence: InvoiceSequence,
  draft: SnapshotDraft,
  { secrets, order, day, debitOf }: NumberingContext,
): InvoiceInsert {
  // If the clock went back, the document still does not get a date before the last one.
  const issuedOn = sequence.lastOn !== null && sequence.lastOn > day ? sequence.lastOn : day
  const position = sequence.last + 1
  const dated = { number: formatInvoiceNumber(sequence, position), issuedOn, dueOn: addDays(issuedOn, draft.dueDays) }
  const debit = debitOf({ ...draft.snapshot, issuedOn }, getBuyerId(draft), draft.dueDays)
  const snapshot: InvoiceSnapshot = { ...draft.snapshot, ...dated, ...(debit && { debit }) }
  const previousHash = sequence.lastHash
  const hash = computeDocumentHash(previousHash, snapshot)
  Object.assign(sequence, { last: position, lastOn: issuedOn, lastHash: hash })
  const place = { companyId: order.companyId, seriesId: sequence.id, position, hash }
  const chain = { ...place, previousHash, signature: signDocument(secrets, place) }
  return {
    id: crypto.randomUUID(),
    computationId: order.computationId,
    ...toInvoiceColumns(snapshot),
    buyerId: getBuyerId(draft),
    clientSellerId: draft.clientSellerId ?? null,
    ...chain,
    snapshot,
    issuedAt: new Date(),
    issuedBy: order.issuedBy,
  }
}

const INSERT_CHUNK_SIZE = 100

async function insertDocuments(tx: Db, rows: InvoiceInsert[], sequences: InvoiceSequence[]) {
  for (let at = 0; at < rows.length; at += INSERT_CHUNK_SIZE)
    await tx.insert(invoices).values(rows.slice(at, at + INSERT_CHUNK_SIZE))
  for (const sequence of sequences) await saveSequencePosition(tx, sequence)
}

const toIssuedEvent = ({ id, sellerId, buyerId, snapshot, operationId }: InvoiceInsert) => ({
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
 * Numbers, dates, freezes, chains and signs drafts in the caller's transaction. A draft already issued to the same
 * seller and buyer for this computation is skipped without taking a number. Call it last: it records an event per
 * document.
 */
export const issueDocuments = (db: Db, secrets: Pick<Secrets, 'stamp'>, order: IssueDocumentsInput) =>
  transaction(db, async (tx) => {
    const drafts = parseDrafts(order)
    const issuedKeys = await loadIssuedKeys(tx, order.companyId, order.computationId)
    const newDrafts = drafts.filter((draft) => !issuedKeys.has(getDraftKey(draft)))
    const already = drafts.length - newDrafts.length
    if (!newDrafts.length) return { issued: 0, already, ids: [] }
    const day = order.on ?? getToday()
    const sequenceKeys = newDrafts.map(({ snapshot, seriesKind }) => ({
      sellerId: snapshot.seller.id,
      kind: seriesKind,
    }))
    const sequences = await lockInvoiceSequences(
      tx,
      order.companyId,
      sequenceKeys,
      Number(day.slice(0, 4)),
      order.loaded?.sellers,
    )
    const buyerIds = [...new Set(newDrafts.flatMap((draft) => getBuyerId(draft) ?? []))]
    const findDebit = await loadDebitTerms(tx, order.companyId, { day, buyerIds, loaded: order.loaded })
    const colour = await loadCompanyColour(tx, order.companyId)
    const numbering = { secrets, order, day, debitOf: findDebit }
    const usedSequences = new Set<InvoiceSequence>()
    const look = colour ? { look: { colour } } : {}
    const rows = newDrafts.map((draft) => {
      const own = sequences.get(getSequenceKey({ sellerId: draft.snapshot.seller.id, kind: draft.seriesKind }))
      if (!own) throw new Error('its series was locked')
      usedSequences.add(own)
      return numberDraft(own, { ...draft, snapshot: { ...draft.snapshot, ...look } }, numbering)
    })
    await insertDocuments(tx, rows, [...usedSequences])
    await recordEvents(tx, order.companyId, 'invoice.issued', rows.map(toIssuedEvent))
    return { issued: rows.length, already, ids: rows.map(({ id }) => id) }
  })
