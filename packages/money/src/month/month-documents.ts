import { addDays, intersectPeriods, type Period, type ValidityPeriod } from '../calendar/days.ts'
import { type BillingDocument, buildDocument } from '../documents/document.ts'
import {
  type AcciseLine,
  computeAllowances,
  type DocumentLine,
  type EnergyLine,
  type FeeLine,
  getVatRate,
  type VatRate,
} from '../documents/document-lines.ts'
import { compareText, formatRatio } from '../numbers/exact-numbers.ts'
import { computeAcciseCents, computeEnergyCents } from '../tariff/amounts.ts'
import { computeFeeCents } from '../tariff/fees.ts'
import { findVersionOn } from '../tariff/pricing-rules.ts'
import type { BillingFee, BillingMember, MonthInput, VatMode } from './input.ts'
import type { MonthNotice } from './issues.ts'
import type { EnergyFigureSource, MonthEnergy } from './month-energy.ts'
import { compareMembers, type LineDraft, type MemberDrafts, type MemberUnits } from './month-lines.ts'

type FiledLine = { seller: string; buyer: string; apart: boolean; line: DocumentLine }
type SellerVat = { mode: VatMode; rate: number }

/** The energy line of a draft and, right after it, the line of its accise. */
function buildEnergyLines(
  draft: LineDraft,
  units: number,
  resolutionWh: number,
  source: EnergyFigureSource,
  vat: VatRate,
): DocumentLine[] {
  const { member, from, to, price, accise } = draft
  const wh = units * resolutionWh
  if (wh === 0) return []
  const shared = { prm: member.prm, member: member.id, from, to, rule: price.rule.id, liable: accise !== null, wh }
  const energy: EnergyLine = {
    kind: 'energy',
    ...shared,
    price: price.price,
    net: computeEnergyCents(wh, price.price),
    ...vat,
    trace: price.trace,
    source,
    wattMinutes: formatRatio(draft.energy),
    units,
  }
  if (!accise) return [energy]
  const { class: acciseClass, centsPerMwh } = accise
  const tax: AcciseLine = {
    kind: 'accise',
    ...shared,
    net: computeAcciseCents(wh, centsPerMwh),
    ...vat,
    centsPerMwh,
    acciseClass,
  }
  return [energy, tax]
}

/**
 * A fee outside VAT goes to a separate document, unless the seller is entirely outside VAT: category O cannot be
 * combined with another on one invoice.
 */
function getFeeVat(fee: BillingFee, { mode, rate }: SellerVat): { vat: VatRate; apart: boolean } {
  if (fee.outside) return { vat: getVatRate('outside', 0), apart: mode !== 'outside' }
  return { vat: getVatRate(mode, fee.rate ?? rate), apart: false }
}

/** Lines of the month, each with its seller and buyer: energy in the order of its members, then fees. */
function listDocumentLines(
  input: MonthInput,
  { period, sources }: MonthEnergy,
  members: readonly MemberDrafts[],
  units: ReadonlyMap<string, MemberUnits>,
  statusOf: (seller: string) => SellerVat,
): FiledLine[] {
  const energy = members.flatMap(({ member, drafts }) =>
    drafts.flatMap((draft, at): FiledLine[] => {
      const { mode, rate } = statusOf(draft.seller)
      const source = sources.get(member.prm) ?? 'definitive'
      const given = units.get(member.id)?.lines[at] ?? 0
      return buildEnergyLines(draft, given, input.resolutionWh, source, getVatRate(mode, rate)).map((line) => ({
        seller: draft.seller,
        buyer: member.buyer,
        apart: false,
        line,
      }))
    }),
  )
  const fees = [...input.fees].sort((a, b) => compareText(a.id, b.id))
  const owed = [...input.members].sort(compareMembers).flatMap((member) =>
    fees.flatMap((fee): FiledLine[] => {
      if (!owesFee(fee, member, period)) return []
      const { vat, apart } = getFeeVat(fee, statusOf(fee.seller))
      const line = buildFeeLine(fee, member, period, vat)
      return line ? [{ seller: fee.seller, buyer: member.buyer, apart, line }] : []
    }),
  )
  return [...energy, ...owed]
}

/** One document for each seller and buyer, sorted by seller, then buyer, then separate documents. */
export function buildMonthDocuments(
  input: MonthInput,
  energy: MonthEnergy,
  members: readonly MemberDrafts[],
  units: ReadonlyMap<string, MemberUnits>,
): { documents: BillingDocument[]; notices: MonthNotice[] } {
  const lastDay = addDays(energy.period.to, -1)
  const statuses = new Map(input.sellers.map(({ id, vat }) => [id, findVersionOn(vat, lastDay)]))
  const statusOf = (seller: string): SellerVat => statuses.get(seller) ?? { mode: 'outside', rate: 0 }
  const filed = listDocumentLines(input, energy, members, units, statusOf)
  const groups = Map.groupBy(filed, ({ seller, buyer, apart }) => JSON.stringify([seller, buyer, apart]))
  const documents = [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const { seller, buyer, apart } = first
    const lines = group.map(({ line }) => line)
    const discounts = input.discounts.filter(
      (each) => (each.buyer ?? buyer) === buyer && (each.seller ?? seller) === seller,
    )
    return [buildDocument({ seller, buyer, apart }, lines, computeAllowances(lines, discounts))]
  })
  documents.sort(
    (a, b) => compareText(a.seller, b.seller) || compareText(a.buyer, b.buyer) || Number(a.apart) - Number(b.apart),
  )
  const elsewhere = [...new Set(documents.map(({ seller }) => seller))].filter(
    (id) => statusOf(id).mode === 'elsewhere',
  )
  return { documents, notices: elsewhere.map((seller) => ({ code: 'vatCollectedElsewhere', seller })) }
}

const intersectOpenPeriods = (a: ValidityPeriod, b: ValidityPeriod): ValidityPeriod => ({
  from: a.from > b.from ? a.from : b.from,
  to: a.to === null ? b.to : b.to === null || a.to < b.to ? a.to : b.to,
})

export const owesFee = (fee: BillingFee, member: BillingMember, period: Period): boolean =>
  intersectPeriods(period, member, fee) !== undefined && (fee.group === undefined || fee.group === member.group)

/** What a member owes of a fee for the month; nothing where it comes to zero cents. */
function buildFeeLine(fee: BillingFee, member: BillingMember, period: Period, vat: VatRate): FeeLine | undefined {
  const days = intersectPeriods(period, member, fee)
  if (!days) return undefined
  const kva = fee.perKva ? (member.kva ?? 0) : null
  const amount = fee.amount * (kva ?? 1)
  const active = intersectOpenPeriods(member, fee)
  const net = computeFeeCents({ amount, every: fee.every }, active, days)
  if (net === 0) return undefined
  const { prm, id } = member
  return {
    kind: 'fee',
    prm,
    member: id,
    ...days,
    rule: fee.id,
    liable: false,
    net,
    ...vat,
    every: fee.every,
    amount,
    kva,
    active,
  }
}
