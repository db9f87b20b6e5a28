import type {
  DraftDocument,
  IssuedAmount,
  MonthPreview,
  OpenDocument,
  SimulatedMember,
} from '@voisol/contract/billing-documents'
import { addMonths } from '@voisol/energy/calendar'
import { getDocumentKey } from '@voisol/money/document'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../http/errors.ts'
import { loadBuyers, loadOperationTerms, loadSellers } from '../parties/index.ts'
import { type ComputeContext, computeMonth, type MonthRequest } from './compute-month.ts'
import { toSnapshotLine } from './invoice-drafts.ts'
import {
  type Amount,
  collectDocumentFacts,
  compareMonths,
  computeControlTotals,
  computeMonthTotals,
  sumAmountsByBuyer,
  sumEnergyWh,
} from './month-totals.ts'
import { findClosedMonth, loadComputation, type MonthResult, toStoredOutcome } from './stored-months.ts'

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

async function loadPartyNames(
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

/** The current amounts of a closed month by document, corrections included; null when the month is open. */
export async function loadCurrentBilledTotals(db: Db, wanted: MonthRequest): Promise<IssuedAmount[] | null> {
  const row = await findClosedMonth(db, wanted.companyId, wanted.operationId, wanted.month)
  if (!row) return null
  const { outcome } = await loadComputation(db, row, 'last')
  const documents = outcome.standing ?? outcome.documents
  const { sellers, buyers } = await loadPartyNames(db, wanted, documents)
  return documents.map((document) => ({
    seller: { id: document.seller, name: sellers.get(document.seller) ?? '' },
    buyer: { id: document.buyer, name: buyers.get(document.buyer) ?? '' },
    apart: document.apart,
    wh: sumEnergyWh(document),
    net: document.totals.net,
    gross: document.totals.gross,
  }))
}

type SimulatedMemberAmounts = z.infer<typeof SimulatedMember>

const NO_AMOUNT: Amount = { wh: 0, net: 0, gross: 0 }

/** The month under the current prices and under another tariff version, side by side; stores nothing. */
export async function simulateTariff(
  computing: ComputeContext,
  db: Db,
  wanted: MonthRequest & { tariffDraft: string },
) {
  const { tariffDraft, ...current } = wanted
  const now = await computeMonth(computing, db, { ...current, acceptLastIndex: true })
  const then = await computeMonth(computing, db, { ...current, acceptLastIndex: true, tariffDraft })
  const [before, after] = [now.outcome, then.outcome]
  if (!after.ok)
    throw new AppError('invalid', {
      message: 'Ce tarif ne suffit pas à facturer ce mois\u00a0: il y manque un prix, ou le mois n’est pas complet.',
    })
  const paid = before.ok ? sumAmountsByBuyer(before.month.documents) : new Map<string, Amount>()
  const simulated = sumAmountsByBuyer(after.month.documents)
  const people = [...new Map(then.quantities.members.map((member) => [member.buyer, member])).values()]
  const members = people.map(({ buyer, prm, name }): SimulatedMemberAmounts => {
    const [old, fresh] = [paid.get(buyer) ?? NO_AMOUNT, simulated.get(buyer) ?? NO_AMOUNT]
    const { net, gross } = old
    return { id: buyer, prm, name, wh: fresh.wh, net, gross, simulatedNet: fresh.net, simulatedGross: fresh.gross }
  })
  const sum = (name: 'net' | 'gross' | 'simulatedNet' | 'simulatedGross') =>
    members.reduce((all, member) => all + member[name], 0)
  return {
    members: members.sort((a, b) => a.name.localeCompare(b.name, 'fr')),
    totals: {
      net: sum('net'),
      gross: sum('gross'),
      simulatedNet: sum('simulatedNet'),
      simulatedGross: sum('simulatedGross'),
    },
  }
}
