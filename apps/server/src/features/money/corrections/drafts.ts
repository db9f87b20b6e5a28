import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import type { Correction } from '@voisol/money/corrections'
import { type BillingDocument, getDocumentKey, sumFigures } from '@voisol/money/document'
import { and, desc, eq, gt, lte, ne } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { invoices, operations } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import type { Secrets } from '../../../secrets.ts'
import { buildInvoiceDrafts, loadInvoiceContext, type StoredComputation } from '../billing/billing.ts'
import type { SnapshotDraft } from '../invoices/invoices.ts'
import { loadOperationTerms } from '../parties/parties.ts'
import type { CorrectedGroup, CorrectedMonth } from './proposal.ts'

type CorrectionDraftsInput = { secrets: Secrets; reason: string; computation: string }
type SentDocument = Correction | BillingDocument

const isCorrection = (sent: SentDocument): sent is Correction => 'typeCode' in sent

/** A correction as a document of its month, with the printed signs and tax. */
function toDocument(sent: SentDocument): BillingDocument {
  if (!isCorrection(sent)) return sent
  const { seller, buyer, apart, lines, vat, totals } = sent
  const allowances = sent.allowances.map((each) => ({ ...each, base: 0, left: 0, percentBp: null, asked: each.amount }))
  const sums = {
    lines: sumFigures(lines.map(({ net }) => net)),
    allowances: sumFigures(allowances.map((each) => each.amount)),
  }
  return { seller, buyer, apart, document: 'invoice', lines, allowances, vat, totals: { ...sums, ...totals } }
}

const isInMonth = (month: string, day: string) => day.slice(0, 7) === month

/** The part of a document in one month: its lines, and with the last month the allowances, which cover all months. */
function selectMonthPart(document: BillingDocument, { month }: CorrectedMonth, last: boolean): BillingDocument[] {
  const lines = document.lines.filter(({ from }) => isInMonth(month, from))
  const allowances = last ? document.allowances : []
  return lines.length || allowances.length ? [{ ...document, lines, allowances }] : []
}

/** Each month with its part of the documents; a single month has them whole. */
function toMonthComputations(
  { parts }: CorrectedGroup,
  documents: readonly BillingDocument[],
  hash: string,
): StoredComputation[] {
  return parts.map((part, at) => {
    const own =
      parts.length === 1
        ? [...documents]
        : documents.flatMap((document) => selectMonthPart(document, part, at === parts.length - 1))
    return { ...part.last, ...part.next, hash, outcome: { ...part.next.outcome, documents: own } }
  })
}

/** The last document between the same seller and buyer for the month, which the correction refers to. */
async function findCorrectedDocument(tx: Db, row: CorrectedMonth['row'], { seller, buyer, apart }: SentDocument) {
  const [found] = await tx
    .select({ id: invoices.id, number: invoices.number, issuedOn: invoices.issuedOn })
    .from(invoices)
    .where(
      and(
        eq(invoices.companyId, row.companyId),
        eq(invoices.operationId, row.operationId),
        eq(invoices.sellerId, seller),
        eq(invoices.buyerId, buyer),
        eq(invoices.apart, apart),
        ne(invoices.kind, 'creditNote'),
        ne(invoices.kind, 'statement'),
        lte(invoices.from, row.month),
        gt(invoices.to, row.month),
      ),
    )
    .orderBy(desc(invoices.kind), desc(invoices.issuedAt))
    .limit(1)
  return found
}

type CorrectedDocumentRef = Awaited<ReturnType<typeof findCorrectedDocument>>

type Allowances = SnapshotDraft['snapshot']['allowances']

/** Each allowance with the two amounts it is the difference of, so that a reader can check it. */
function toDifferenceAllowances({ parts }: CorrectedGroup, sent: Correction, allowances: Allowances): Allowances {
  const name = getDocumentKey(sent)
  const of = (which: 'standing' | 'clean', { id, category, rate }: Allowances[number]) =>
    parts
      .flatMap((part) => part[which].filter((document) => getDocumentKey(document) === name))
      .flatMap((document) => document.allowances)
      .filter((each) => each.id === id && each.category === category && each.rate === rate)
  return allowances.map((allowance) => ({
    id: allowance.id,
    label: allowance.label,
    amount: allowance.amount,
    category: allowance.category,
    rate: allowance.rate,
    difference: {
      before: sumFigures(of('standing', allowance).map(({ amount }) => amount)),
      now: of('clean', allowance).map(({ base, left, percentBp, asked }) => ({ base, left, percentBp, asked })),
    },
  }))
}

/** Turns a draft of the month into a correction: its kind, its reference and its differences. */
function toCorrectionDraft(
  group: CorrectedGroup,
  draft: SnapshotDraft,
  sent: SentDocument,
  named: CorrectedDocumentRef,
  reason: string,
): SnapshotDraft {
  if (!isCorrection(sent)) return draft
  const document = toDocument(sent)
  const credit = sent.document === 'creditNote'
  const kind: InvoiceSnapshot['kind'] = credit ? 'creditNote' : named ? 'complement' : 'invoice'
  return {
    ...draft,
    seriesKind: 'invoice',
    dueDays: credit ? 0 : draft.dueDays,
    snapshot: {
      ...draft.snapshot,
      kind,
      typeCode: sent.typeCode,
      vat: [...document.vat],
      totals: document.totals,
      allowances: toDifferenceAllowances(group, sent, draft.snapshot.allowances),
      corrects: named ? { ...named, reason } : null,
    },
  }
}

/** The credit notes, complementary invoices and statements of a month or joined months, ready to be numbered. */
export async function buildCorrectionDrafts(
  tx: Db,
  group: CorrectedGroup,
  input: CorrectionDraftsInput,
): Promise<SnapshotDraft[]> {
  const { judged, parts } = group
  const sentDocuments: SentDocument[] = [
    ...judged.corrections.filter((each): each is Correction => 'lines' in each),
    ...judged.reissued,
  ]
  const row = parts.at(-1)?.row
  if (sentDocuments.length === 0 || !row) return []
  const byName = new Map(sentDocuments.map((each) => [getDocumentKey(each), each]))
  const { companyId, operationId } = row
  const [operation] = await tx
    .select()
    .from(operations)
    .where(and(eq(operations.companyId, companyId), eq(operations.id, operationId)))
  if (!operation) throw new AppError('not-found')
  const computations = toMonthComputations(group, sentDocuments.map(toDocument), input.computation)
  const { patrimonial } = await loadOperationTerms(tx, companyId, operationId)
  const context = await loadInvoiceContext(
    tx,
    { companyId, operation, secrets: input.secrets },
    computations,
    patrimonial,
  )
  const drafts: SnapshotDraft[] = []
  for (const draft of buildInvoiceDrafts(context, computations)) {
    const { seller, buyer, apart } = draft.snapshot
    const own = byName.get(getDocumentKey({ seller: seller.id, buyer: buyer.id, apart }))
    if (!own) throw new Error('a draft of what is sent')
    drafts.push(toCorrectionDraft(group, draft, own, await findCorrectedDocument(tx, row, own), input.reason))
  }
  return drafts
}
