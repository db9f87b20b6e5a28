import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import type { Correction } from '@voisol/money/corrections'
import { type Document, documentName, sum } from '@voisol/money/document'
import { and, desc, eq, gt, lte, ne } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { invoices, operations } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import type { Secrets } from '../../../secrets.ts'
import { type Computed, deskOf, draftsOf } from '../billing/billing.ts'
import type { SnapshotDraft } from '../invoices/invoices.ts'
import { termsOf } from '../parties/parties.ts'
import type { Corrected, CorrectedMonth } from './proposal.ts'

type Wanted = { secrets: Secrets; reason: string; computation: string }
type Sent = Correction | Document

const isCorrection = (sent: Sent): sent is Correction => 'typeCode' in sent

/** A correction as a document of its month, with the signs and the tax it is printed with. */
function asDocument(sent: Sent): Document {
  if (!isCorrection(sent)) return sent
  const { seller, buyer, apart, lines, vat, totals } = sent
  const allowances = sent.allowances.map((each) => ({ ...each, base: 0, left: 0, percentBp: null, asked: each.amount }))
  const sums = { lines: sum(lines.map(({ net }) => net)), allowances: sum(allowances.map((each) => each.amount)) }
  return { seller, buyer, apart, document: 'invoice', lines, allowances, vat, totals: { ...sums, ...totals } }
}

const inMonth = (month: string, day: string) => day.slice(0, 7) === month

/** What of a document is of one month: its lines, and with the last one the allowances, which are of them all. */
function partOf(document: Document, { month }: CorrectedMonth, last: boolean): Document[] {
  const lines = document.lines.filter(({ from }) => inMonth(month, from))
  const allowances = last ? document.allowances : []
  return lines.length || allowances.length ? [{ ...document, lines, allowances }] : []
}

/** Each month with what of the documents is its own; a month by itself has them whole. */
function shownOf({ parts }: Corrected, documents: readonly Document[], hash: string): Computed[] {
  return parts.map((part, at) => {
    const own =
      parts.length === 1
        ? [...documents]
        : documents.flatMap((document) => partOf(document, part, at === parts.length - 1))
    return { ...part.last, ...part.next, hash, outcome: { ...part.next.outcome, documents: own } }
  })
}

/** The last document of the pair that bears on the month: what a correction names. */
async function correctedBy(tx: Db, row: CorrectedMonth['row'], { seller, buyer, apart }: Sent) {
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

type Named = Awaited<ReturnType<typeof correctedBy>>

type Allowances = SnapshotDraft['snapshot']['allowances']

/** Each allowance with what it is the difference of, so that whoever reads the document can find it again. */
function byDifference({ parts }: Corrected, sent: Correction, allowances: Allowances): Allowances {
  const name = documentName(sent)
  const of = (which: 'standing' | 'clean', { id, category, rate }: Allowances[number]) =>
    parts
      .flatMap((part) => part[which].filter((document) => documentName(document) === name))
      .flatMap((document) => document.allowances)
      .filter((each) => each.id === id && each.category === category && each.rate === rate)
  return allowances.map((allowance) => ({
    id: allowance.id,
    label: allowance.label,
    amount: allowance.amount,
    category: allowance.category,
    rate: allowance.rate,
    difference: {
      before: sum(of('standing', allowance).map(({ amount }) => amount)),
      now: of('clean', allowance).map(({ base, left, percentBp, asked }) => ({ base, left, percentBp, asked })),
    },
  }))
}

/** What makes a draft of the month a correction: its kind, what it names, and figures by difference. */
function corrected(group: Corrected, draft: SnapshotDraft, sent: Sent, named: Named, reason: string): SnapshotDraft {
  if (!isCorrection(sent)) return draft
  const document = asDocument(sent)
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
      allowances: byDifference(group, sent, draft.snapshot.allowances),
      corrects: named ? { ...named, reason } : null,
    },
  }
}

/** The avoirs, complements and statements of a month, or of the months of one invoice, ready to be numbered. */
export async function correctionDrafts(tx: Db, group: Corrected, wanted: Wanted): Promise<SnapshotDraft[]> {
  const { judged, parts } = group
  const sent: Sent[] = [...judged.corrections.filter((each): each is Correction => 'lines' in each), ...judged.reissued]
  const row = parts.at(-1)?.row
  if (sent.length === 0 || !row) return []
  const byName = new Map(sent.map((each) => [documentName(each), each]))
  const { companyId, operationId } = row
  const [operation] = await tx
    .select()
    .from(operations)
    .where(and(eq(operations.companyId, companyId), eq(operations.id, operationId)))
  if (!operation) throw new AppError('not-found')
  const shown = shownOf(group, sent.map(asDocument), wanted.computation)
  const { patrimonial } = await termsOf(tx, companyId, operationId)
  const desk = await deskOf(tx, { companyId, operation, secrets: wanted.secrets }, shown, patrimonial)
  const drafts: SnapshotDraft[] = []
  for (const draft of draftsOf(desk, shown)) {
    const { seller, buyer, apart } = draft.snapshot
    const own = byName.get(documentName({ seller: seller.id, buyer: buyer.id, apart }))
    if (!own) throw new Error('a draft of what is sent')
    drafts.push(corrected(group, draft, own, await correctedBy(tx, row, own), wanted.reason))
  }
  return drafts
}
