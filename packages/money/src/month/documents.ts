import { addDays } from '../calendar/days.ts'
import { allowancesOf } from '../documents/allowances.ts'
import { type Document, makeDocument } from '../documents/document.ts'
import type { AcciseLine, EnergyLine, Line, Vat } from '../documents/lines.ts'
import { vatOf } from '../documents/vat.ts'
import { byText } from '../numbers/order.ts'
import { writeRatio } from '../numbers/ratio.ts'
import { acciseCents, energyCents } from '../tariff/amounts.ts'
import { inForce } from '../tariff/rules.ts'
import { type Draft, type MemberDrafts, memberOrder } from './drafts.ts'
import type { MonthEnergy, Source } from './energy.ts'
import { feeLine, owesFee } from './fee-lines.ts'
import type { Fee, MonthInput, VatMode } from './input.ts'
import type { Notice } from './issues.ts'
import type { MemberUnits } from './units.ts'

type Filed = { seller: string; buyer: string; apart: boolean; line: Line }
type Status = { mode: VatMode; rate: number }

/** The energy of a draft and, right after, its accise. */
function energyLines(draft: Draft, units: number, resolutionWh: number, source: Source, vat: Vat): Line[] {
  const { member, from, to, price, accise } = draft
  const wh = units * resolutionWh
  if (wh === 0) return []
  const shared = { prm: member.prm, member: member.id, from, to, rule: price.rule.id, liable: accise !== null, wh }
  const energy: EnergyLine = {
    kind: 'energy',
    ...shared,
    price: price.price,
    net: energyCents(wh, price.price),
    ...vat,
    trace: price.trace,
    source,
    wattMinutes: writeRatio(draft.energy),
    units,
  }
  if (!accise) return [energy]
  const { class: acciseClass, centsPerMwh } = accise
  const tax: AcciseLine = {
    kind: 'accise',
    ...shared,
    net: acciseCents(wh, centsPerMwh),
    ...vat,
    centsPerMwh,
    acciseClass,
  }
  return [energy, tax]
}

/** A fee outside VAT stands apart, unless all of its seller is outside too: category O bears no other beside it. */
function feeVat(fee: Fee, { mode, rate }: Status): { vat: Vat; apart: boolean } {
  if (fee.outside) return { vat: vatOf('outside', 0), apart: mode !== 'outside' }
  return { vat: vatOf(mode, fee.rate ?? rate), apart: false }
}

/** Lines of the month, each with its seller and buyer: energy in the order of its members, then fees. */
function fileLines(
  input: MonthInput,
  { period, sources }: MonthEnergy,
  members: readonly MemberDrafts[],
  units: ReadonlyMap<string, MemberUnits>,
  statusOf: (seller: string) => Status,
): Filed[] {
  const energy = members.flatMap(({ member, drafts }) =>
    drafts.flatMap((draft, at): Filed[] => {
      const { mode, rate } = statusOf(draft.seller)
      const source = sources.get(member.prm) ?? 'definitive'
      const given = units.get(member.id)?.lines[at] ?? 0
      return energyLines(draft, given, input.resolutionWh, source, vatOf(mode, rate)).map((line) => ({
        seller: draft.seller,
        buyer: member.buyer,
        apart: false,
        line,
      }))
    }),
  )
  const fees = [...input.fees].sort((a, b) => byText(a.id, b.id))
  const owed = [...input.members].sort(memberOrder).flatMap((member) =>
    fees.flatMap((fee): Filed[] => {
      if (!owesFee(fee, member, period)) return []
      const { vat, apart } = feeVat(fee, statusOf(fee.seller))
      const line = feeLine(fee, member, period, vat)
      return line ? [{ seller: fee.seller, buyer: member.buyer, apart, line }] : []
    }),
  )
  return [...energy, ...owed]
}

/** One document for each seller and buyer, by seller, then buyer, then what stands apart. */
export function documentsOf(
  input: MonthInput,
  energy: MonthEnergy,
  members: readonly MemberDrafts[],
  units: ReadonlyMap<string, MemberUnits>,
): { documents: Document[]; notices: Notice[] } {
  const lastDay = addDays(energy.period.to, -1)
  const statuses = new Map(input.sellers.map(({ id, vat }) => [id, inForce(vat, lastDay)]))
  const statusOf = (seller: string): Status => statuses.get(seller) ?? { mode: 'outside', rate: 0 }
  const filed = fileLines(input, energy, members, units, statusOf)
  const groups = Map.groupBy(filed, ({ seller, buyer, apart }) => JSON.stringify([seller, buyer, apart]))
  const documents = [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const { seller, buyer, apart } = first
    const lines = group.map(({ line }) => line)
    const discounts = input.discounts.filter(
      (each) => (each.buyer ?? buyer) === buyer && (each.seller ?? seller) === seller,
    )
    return [makeDocument({ seller, buyer, apart }, lines, allowancesOf(lines, discounts))]
  })
  documents.sort((a, b) => byText(a.seller, b.seller) || byText(a.buyer, b.buyer) || Number(a.apart) - Number(b.apart))
  const elsewhere = [...new Set(documents.map(({ seller }) => seller))].filter(
    (id) => statusOf(id).mode === 'elsewhere',
  )
  return { documents, notices: elsewhere.map((seller) => ({ code: 'vatCollectedElsewhere', seller })) }
}
