import { CORRECTION_CAUSE_LABELS } from '@voisol/contract/corrections'
import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { addMonths } from '@voisol/energy/calendar'
import { buildCancellation, type Correction } from '@voisol/money/corrections'
import { type BillingDocument, getDocumentKey, sumFigures } from '@voisol/money/document'
import { and, desc, eq, gt, lte, ne } from 'drizzle-orm'
import { operationScope } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { billingComputations, billingMonths, billingReviews, invoices, operations } from '../../../db/schema/index.ts'
import { toCanonicalJson } from '../../../hash.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { Secrets } from '../../../secrets.ts'
import { issueDocuments, type SnapshotDraft } from '../invoices/index.ts'
import {
  buildInvoiceDrafts,
  type ComputeContext,
  computeMonthTotals,
  loadInvoiceContext,
  lockOperation,
  packMonth,
  type StoredComputation,
} from '../month-closing/index.ts'
import { loadOperationTerms } from '../parties/index.ts'
import { computeStandingDocuments } from './compute-corrections.ts'
import {
  type CorrectedGroup,
  type CorrectedMonth,
  type CorrectionProposal,
  computeProposal,
  loadStandingGroup,
} from './correction-proposal.ts'
import { loadReview, toReview } from './list-reviews.ts'

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
async function buildCorrectionDrafts(
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
    companyId,
    { operation, patrimonial, secrets: input.secrets },
    computations,
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

type CorrectionDecision = { secrets: Secrets; by: string; reason: string; cause: object }

/** Stores the new input of the month and the documents in force once its corrections are issued. */
async function storeNextComputation(
  tx: Db,
  part: CorrectedMonth,
  { judged }: CorrectedGroup,
  { cause, by }: CorrectionDecision,
) {
  const { row, last, next } = part
  const outcome = { ...next.outcome, standing: computeStandingDocuments(part, judged) }
  const packed = await packMonth({ ...next, outcome })
  const waiting = judged.corrections.some(({ document }) => document === 'held')
  const [made] = await tx
    .insert(billingComputations)
    .values({
      companyId: row.companyId,
      monthId: row.id,
      number: last.number + 1,
      cause,
      ...packed,
      totals: { ...computeMonthTotals({ outcome, input: next.input }), waiting },
      createdBy: by,
    })
    .returning()
  if (!made) throw new Error('a computation is stored')
  return made
}

const isChangedMonth = (part: CorrectedMonth, { judged }: CorrectedGroup) =>
  part.next !== part.last || toCanonicalJson(computeStandingDocuments(part, judged)) !== toCanonicalJson(part.standing)

/** Stores the next computations of corrected months and issues their documents under the first of these. */
export async function storeAndIssueCorrections(tx: Db, group: CorrectedGroup, decision: CorrectionDecision) {
  const changed = group.parts.filter((part) => isChangedMonth(part, group))
  const stored = []
  for (const part of changed) stored.push(await storeNextComputation(tx, part, group, decision))
  const [first] = stored
  const [part] = group.parts
  if (!first || !part) return { issued: 0, already: 0, ids: [] }
  const drafts = await buildCorrectionDrafts(tx, group, { ...decision, computation: first.hash })
  const { companyId, operationId } = part.row
  const order = { companyId, operationId, computationId: first.id, issuedBy: decision.by, drafts }
  return issueDocuments(tx, decision.secrets, order)
}

const CHANGED_MESSAGE =
  'Les données ont changé depuis que cette régularisation a été affichée\u00a0: la voici de nouveau, à relire.'
async function lockOpenReview(tx: Db, actor: Actor, id: string) {
  const found = await loadReview(tx, actor, id)
  await lockOperation(tx, found.month.companyId, found.month.operationId)
  const again = await loadReview(tx, actor, id)
  if (again.review.state !== 'open')
    throw new AppError('conflict', { message: 'Cette régularisation est déjà décidée.' })
  return again
}

type IssueReviewContext = ComputeContext & { secrets: Secrets }

/** Issues the documents of each month under a new computation. */
async function issueProposalDocuments(
  tx: Db,
  { groups, causes }: CorrectionProposal,
  secrets: Secrets,
  reviewId: string,
  by: string,
) {
  const reason = `${causes.map((cause) => CORRECTION_CAUSE_LABELS[cause]).join('. ')}.`
  const cause = { kind: 'correction', reviewId, causes }
  let issued = 0
  // A month that only has withheld cents is left alone; the recomputed one is stored in any case.
  for (const group of groups)
    issued += (await storeAndIssueCorrections(tx, group, { secrets, by, reason, cause })).issued
  return issued
}

/** The other months whose cents were included have nothing left to propose: each is reviewed again. */
async function enqueueOtherMonths(tx: Db, { groups: [, ...others] }: CorrectionProposal) {
  for (const { companyId, operationId, month: from } of others.flatMap(({ parts }) => parts.map(({ row }) => row))) {
    const to = addMonths(from, 1)
    await enqueue(
      tx,
      'corrections.look',
      { companyId, operationId, from, to },
      { once: `${operationId} ${from} ${to}` },
    )
  }
}

/** Issues exactly the proposal that was shown; a second call finds it already decided. */
export async function issueReview(ctx: IssueReviewContext, tx: Db, actor: Actor, id: string, seal: string) {
  const { review, month } = await lockOpenReview(tx, actor, id)
  const proposal = await computeProposal(ctx, tx, month)
  if (!proposal) throw new AppError('conflict', { message: CANNOT_RECOMPUTE_MESSAGE })
  if (proposal.seal !== seal) throw new AppError('stale', { message: CHANGED_MESSAGE })
  const by = formatActorName(actor)
  await tx
    .update(billingReviews)
    .set({
      state: 'settled',
      causes: proposal.causes,
      summary: proposal.summary,
      decidedAt: new Date(),
      decidedBy: by,
    })
    .where(and(eq(billingReviews.companyId, review.companyId), eq(billingReviews.id, id)))
  const issued = await issueProposalDocuments(tx, proposal, ctx.secrets, id, by)
  await enqueueOtherMonths(tx, proposal)
  return { ...toReview(await loadReview(tx, actor, id)), issued }
}

export const CANNOT_RECOMPUTE_MESSAGE =
  'Ce mois ne peut pas être recalculé aujourd’hui\u00a0: ouvrez sa liste de contrôle dans la facturation pour voir ce qui manque.'

export async function dismissReview(tx: Db, actor: Actor, id: string, reason: string) {
  const { review } = await lockOpenReview(tx, actor, id)
  await tx
    .update(billingReviews)
    .set({ state: 'left', reason, decidedAt: new Date(), decidedBy: formatActorName(actor) })
    .where(and(eq(billingReviews.companyId, review.companyId), eq(billingReviews.id, id)))
  return toReview(await loadReview(tx, actor, id))
}

/** The document and its month, if the actor may read its operation. */
async function loadIssuedDocument(tx: Db, actor: Actor, id: string) {
  const [found] = await tx
    .select({ invoice: invoices, month: billingMonths })
    .from(invoices)
    .innerJoin(operations, and(eq(operations.companyId, invoices.companyId), eq(operations.id, invoices.operationId)))
    .innerJoin(
      billingComputations,
      and(eq(billingComputations.companyId, invoices.companyId), eq(billingComputations.id, invoices.computationId)),
    )
    .innerJoin(
      billingMonths,
      and(eq(billingMonths.companyId, invoices.companyId), eq(billingMonths.id, billingComputations.monthId)),
    )
    .where(and(operationScope(actor), eq(invoices.id, id)))
  if (!found) throw new AppError('not-found')
  return found
}

type CancelInvoiceInput = { invoiceId: string; reason: string }

/**
 * Cancels everything issued for a buyer and month, or for the months of one invoice, by a full credit note; a new
 * proposal for what is owed follows at once.
 */
export async function cancelInvoice(
  { secrets }: { secrets: Secrets },
  tx: Db,
  actor: Actor,
  { invoiceId, reason }: CancelInvoiceInput,
) {
  const { invoice, month: row } = await loadIssuedDocument(tx, actor, invoiceId)
  await lockOperation(tx, row.companyId, row.operationId)
  const group = await loadStandingGroup(tx, row)
  const { sellerId: seller, apart, number } = invoice
  const { operationId } = row
  const name = getDocumentKey({ seller, buyer: invoice.buyerId ?? '', apart })
  const document = group.standing.find((each) => getDocumentKey(each) === name)
  const correction = document && buildCancellation(document)
  if (!correction)
    throw new AppError('conflict', {
      message: `La facture ${number} est déjà annulée, ou il n’en reste rien à reprendre.`,
    })
  const without = (documents: readonly BillingDocument[]) => documents.filter((each) => getDocumentKey(each) !== name)
  const parts = group.parts.map((part) => ({ ...part, clean: without(part.clean) }))
  const judged = { corrections: [correction], reissued: [], standing: without(group.standing), uncorrected: [] }
  const cause = { kind: 'cancellation', invoiceId, reason }
  const { ids } = await storeAndIssueCorrections(
    tx,
    { ...group, parts, judged },
    { secrets, by: formatActorName(actor), reason, cause },
  )
  const [id] = ids
  if (!id) throw new Error('an avoir is issued')
  const { companyId } = row
  for (const { row: own } of parts) {
    const days = { from: own.month, to: addMonths(own.month, 1) }
    const dedupeKey = `${operationId} ${days.from} ${days.to}`
    await enqueue(tx, 'corrections.look', { companyId, operationId, ...days }, { once: dedupeKey })
  }
  return { id, number, operationId }
}
