import type { DraftDocument, MonthPreview, OpenDocument } from '@voisol/contract/billing-documents'
import { addMonths } from '@voisol/energy/calendar'
import { documentName } from '@voisol/money/document'
import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../http/errors.ts'
import { buyersOf, sellersOf, termsOf } from '../parties/parties.ts'
import { type Computing, computeNow, type Wanted } from './computed.ts'
import { differencesOf, factsOf, sumsOf, totalsOf, whOf } from './facts.ts'
import { lineOf } from './snapshot-lines.ts'
import { computationOf, findMonth, outcomeOf, type StoredMonth } from './stored.ts'

/** As it was closed, or as it would be; nothing where something stands in its way. */
export async function monthAsBilled(computing: Computing, db: Db, wanted: Wanted): Promise<StoredMonth | undefined> {
  const { companyId, operationId, month } = wanted
  const closed = await findMonth(db, companyId, operationId, month)
  if (closed) return computationOf(db, closed)
  const { input, frame, outcome, daily } = await computeNow(computing, db, wanted)
  return outcome.ok ? { input, frame, outcome: outcomeOf(outcome.month, daily) } : undefined
}

type People = { sellers: Map<string, string>; buyers: Map<string, string>; patrimonial: boolean }

export async function peopleOf(
  db: Db,
  { companyId, operationId }: Wanted,
  documents: StoredMonth['outcome']['documents'],
): Promise<People> {
  const ids = [...new Set(documents.map(({ buyer }) => buyer))]
  const buyers = await buyersOf(db, companyId, ids)
  const { patrimonial } = await termsOf(db, companyId, operationId)
  return {
    sellers: new Map((await sellersOf(db, companyId)).map(({ id, name }) => [id, name])),
    buyers: new Map([...buyers.values()].map(({ id, name }) => [id, name])),
    patrimonial,
  }
}

/** All documents of a month beside those of the month before, and the sums that must tie. */
export async function previewOf(
  computing: Computing,
  db: Db,
  wanted: Wanted,
  month: StoredMonth,
): Promise<Omit<MonthPreview, 'rehearsal'>> {
  const people = await peopleOf(db, wanted, month.outcome.documents)
  const last = addMonths(`${wanted.month}-01`, -1).slice(0, 7)
  const before = await monthAsBilled(computing, db, { ...wanted, month: last, acceptLastIndex: true })
  const facts = { before: before && factsOf(before), now: factsOf(month) }
  const differences = facts.before && differencesOf(facts.before, facts.now)
  const documents = month.outcome.documents.map((document): DraftDocument => {
    const name = documentName(document)
    const old = facts.before?.get(name)
    const { net, tax, gross } = document.totals
    return {
      seller: { id: document.seller, name: people.sellers.get(document.seller) ?? '' },
      buyer: { id: document.buyer, name: people.buyers.get(document.buyer) ?? '' },
      kind: people.patrimonial ? 'statement' : document.document,
      apart: document.apart,
      lines: document.lines.length,
      wh: whOf(document),
      net,
      tax,
      gross,
      before: differences ? (old ? old.energyNet + old.otherNet : 0) : null,
      difference: differences?.byDocument.get(name) ?? null,
    }
  })
  return {
    month: wanted.month,
    documents: documents.sort((a, b) => a.buyer.name.localeCompare(b.buyer.name, 'fr')),
    totals: totalsOf(month),
    before: before ? totalsOf(before) : null,
    difference: differences?.whole ?? null,
    sums: sumsOf(month),
  }
}

type Chosen = { seller: string; buyer: string; apart: boolean }

/** One document, its amounts step by step and its lines day by day. */
export async function openDocument(
  { compute, signal }: Computing,
  db: Db,
  wanted: Wanted,
  month: StoredMonth,
  chosen: Chosen,
): Promise<OpenDocument> {
  const { companyId } = wanted
  const found = await compute('billing.open', { input: month.input, ...chosen }, { companyId, signal })
  if (!found) throw new AppError('not-found')
  const { document } = found
  const people = await peopleOf(db, wanted, month.outcome.documents)
  const labels = new Map(month.frame.producers.map(({ id, label }) => [id, label]))
  return {
    seller: { id: document.seller, name: people.sellers.get(document.seller) ?? '' },
    buyer: { id: document.buyer, name: people.buyers.get(document.buyer) ?? '' },
    kind: people.patrimonial ? 'statement' : document.document,
    lines: document.lines.map((line, at) => ({
      line: lineOf(line, month),
      steps: found.lines[at]?.steps ?? [],
      days: (found.lines[at]?.days ?? []).map((day) => ({ ...day, producer: labels.get(day.producer) ?? '' })),
    })),
    allowances: document.allowances.map((allowance, at) => ({
      allowance: { ...allowance, label: month.frame.labels[allowance.id] ?? 'Remise' },
      steps: found.allowances[at] ?? [],
    })),
    vat: document.vat.map((group, at) => ({ ...group, steps: found.vat[at] ?? [] })),
    totals: document.totals,
  }
}
