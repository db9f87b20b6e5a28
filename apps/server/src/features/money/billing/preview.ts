import type { DraftDocument, MonthPreview, OpenDocument } from '@voisol/contract/billing-documents'
import { addMonths } from '@voisol/energy/calendar'
import { getDocumentKey } from '@voisol/money/document'
import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../http/errors.ts'
import { loadBuyers, loadOperationTerms, loadSellers } from '../parties/parties.ts'
import { type ComputeContext, computeMonth, type MonthRequest } from './computed.ts'
import { collectDocumentFacts, compareMonths, computeControlTotals, computeMonthTotals, sumEnergyWh } from './facts.ts'
import { toSnapshotLine } from './snapshot-lines.ts'
import { findClosedMonth, loadComputation, type MonthResult, toStoredOutcome } from './stored.ts'

/** The month as it was closed, or as it would be closed; nothing when an issue blocks it. */
export async function loadOrComputeMonth(
  computing: ComputeContext,
  db: Db,
  wanted: MonthRequest,
): Promise<MonthResult | undefined> {
  const { companyId, operationId, month } = wanted
  const closed = await findClosedMonth(db, companyId, operationId, month)
  if (closed) return loadComputation(db, closed)
  const { input, frame, outcome, daily } = await computeMonth(computing, db, wanted)
  return outcome.ok ? { input, frame, outcome: toStoredOutcome(outcome.month, daily) } : undefined
}

type PartyNames = { sellers: Map<string, string>; buyers: Map<string, string>; patrimonial: boolean }

export async function loadPartyNames(
  db: Db,
  { companyId, operationId }: MonthRequest,
  documents: MonthResult['outcome']['documents'],
): Promise<PartyNames> {
  const ids = [...new Set(documents.map(({ buyer }) => buyer))]
  const buyers = await loadBuyers(db, companyId, ids)
  const { patrimonial } = await loadOperationTerms(db, companyId, operationId)
  return {
    sellers: new Map((await loadSellers(db, companyId)).map(({ id, name }) => [id, name])),
    buyers: new Map([...buyers.values()].map(({ id, name }) => [id, name])),
    patrimonial,
  }
}

/** All documents of a month beside those of the month before, and the totals that must agree. */
export async function previewMonth(
  computing: ComputeContext,
  db: Db,
  wanted: MonthRequest,
  month: MonthResult,
): Promise<Omit<MonthPreview, 'rehearsal'>> {
  const people = await loadPartyNames(db, wanted, month.outcome.documents)
  const last = addMonths(`${wanted.month}-01`, -1).slice(0, 7)
  const before = await loadOrComputeMonth(computing, db, { ...wanted, month: last, acceptLastIndex: true })
  const facts = { before: before && collectDocumentFacts(before), now: collectDocumentFacts(month) }
  const differences = facts.before && compareMonths(facts.before, facts.now)
  const documents = month.outcome.documents.map((document): DraftDocument => {
    const name = getDocumentKey(document)
    const old = facts.before?.get(name)
    const { net, tax, gross } = document.totals
    return {
      seller: { id: document.seller, name: people.sellers.get(document.seller) ?? '' },
      buyer: { id: document.buyer, name: people.buyers.get(document.buyer) ?? '' },
      kind: people.patrimonial ? 'statement' : document.document,
      apart: document.apart,
      lines: document.lines.length,
      wh: sumEnergyWh(document),
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
    totals: computeMonthTotals(month),
    before: before ? computeMonthTotals(before) : null,
    difference: differences?.whole ?? null,
    sums: computeControlTotals(month),
  }
}

type DocumentChoice = { seller: string; buyer: string; apart: boolean }

/** One document, its amounts step by step and its lines day by day. */
export async function explainDocument(
  { compute, signal }: ComputeContext,
  db: Db,
  wanted: MonthRequest,
  month: MonthResult,
  chosen: DocumentChoice,
): Promise<OpenDocument> {
  const { companyId } = wanted
  const found = await compute('billing.open', { input: month.input, ...chosen }, { companyId, signal })
  if (!found) throw new AppError('not-found')
  const { document } = found
  const people = await loadPartyNames(db, wanted, month.outcome.documents)
  const labels = new Map(month.frame.producers.map(({ id, label }) => [id, label]))
  return {
    seller: { id: document.seller, name: people.sellers.get(document.seller) ?? '' },
    buyer: { id: document.buyer, name: people.buyers.get(document.buyer) ?? '' },
    kind: people.patrimonial ? 'statement' : document.document,
    lines: document.lines.map((line, at) => ({
      line: toSnapshotLine(line, month),
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
