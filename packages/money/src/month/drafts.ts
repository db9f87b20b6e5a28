import { addDays, clip } from '../calendar/days.ts'
import { byText } from '../numbers/order.ts'
import { plus, type Ratio, ratio, ZERO } from '../numbers/ratio.ts'
import { classOrder } from '../tariff/rules.ts'
import type { MonthEnergy } from './energy.ts'
import type { Member, MonthInput, Producer } from './input.ts'
import type { Issue, Notice } from './issues.ts'
import { createPricing, type Price, type Pricing, type Segment, segmentsOf } from './pricing.ts'
import type { Layer } from './spread.ts'

/** A line before it has whole units: seller, member, sub-period, rule, liable or not. */
export type Draft = {
  seller: string
  member: Member
  from: string
  to: string
  price: Price
  accise: { class: string; centsPerMwh: number } | null
  /** Exact watt-minutes. */
  energy: Ratio
}
type Sorting = Draft & { segment: number }

/** Members by point, then entry. */
export const memberOrder = (a: Member, b: Member): number => byText(a.prm, b.prm) || byText(a.from, b.from)

/** Inside a member: sub-period, class of the rule, rule, what owes no accise first, seller. */
const draftOrder = (a: Sorting, b: Sorting): number =>
  a.segment - b.segment ||
  byText(classOrder(a.price.rule.class), classOrder(b.price.rule.class)) ||
  byText(a.price.rule.id, b.price.rule.id) ||
  Number(a.accise !== null) - Number(b.accise !== null) ||
  byText(a.seller, b.seller)

/** Weight of the layer inside the segment, and its first day at or after a given one. */
function weightIn({ weights }: Layer, { first, end }: Segment, after: number) {
  let weight = 0
  let late: number | undefined
  for (let day = first; day < end; day++) {
    const value = weights[day] ?? 0
    weight += value
    if (value > 0 && day >= after && late === undefined) late = day
  }
  return { weight, late }
}

type Desk = {
  input: MonthInput
  energy: MonthEnergy
  pricing: Pricing
  producers: ReadonlyMap<string, Producer>
  issues: Issue[]
}

/** Who owes accise on what, or why that cannot be said. */
function acciseFor(desk: Desk, member: Member, layer: Layer, segment: Segment): Draft['accise'] {
  if (!desk.producers.get(layer.producer)?.accise) return null
  if (member.acciseClass === undefined) {
    desk.issues.push({ code: 'noAcciseClass', member: member.id })
    return null
  }
  const rate = desk.pricing.acciseOf(member.acciseClass, segment)
  const { late } = weightIn(layer, segment, rate ? rate.until : segment.first)
  if (late !== undefined)
    desk.issues.push({ code: 'noAcciseRate', class: member.acciseClass, day: addDays(desk.energy.period.from, late) })
  return { class: member.acciseClass, centsPerMwh: rate?.centsPerMwh ?? 0 }
}

function draftOf(desk: Desk, member: Member, layer: Layer, at: number, segment: Segment): Sorting | undefined {
  const stay = clip(segment, member)
  const { weight } = weightIn(layer, segment, segment.end)
  if (weight === 0 || !stay) return undefined
  const price = desk.pricing.priceOf(member, layer.producer, layer.class, segment)
  const { late } = weightIn(layer, segment, price ? price.until : segment.first)
  if (late !== undefined || !price) {
    const day = addDays(desk.energy.period.from, late ?? segment.first)
    desk.issues.push({ code: 'noRule', member: member.id, producer: layer.producer, class: layer.class, day })
    return undefined
  }
  const seller = desk.producers.get(layer.producer)?.seller ?? ''
  const accise = acciseFor(desk, member, layer, segment)
  const energy = ratio(BigInt(weight) * layer.num, layer.den)
  return { seller, member, ...stay, segment: at, price, accise, energy }
}

/** The lines of a member, in their order; energy of one line adds up exactly. */
function draftsOf(desk: Desk, member: Member, segments: readonly Segment[]): Draft[] {
  const lines = new Map<string, Sorting>()
  for (const layer of desk.energy.layers.get(member.id) ?? [])
    for (const [at, segment] of segments.entries()) {
      const draft = draftOf(desk, member, layer, at, segment)
      if (!draft) continue
      const name = JSON.stringify([draft.seller, at, draft.price.rule.id, draft.accise !== null])
      lines.set(name, { ...draft, energy: plus(lines.get(name)?.energy ?? ZERO, draft.energy) })
    }
  return [...lines.values()].sort(draftOrder)
}

export type MemberDrafts = { member: Member; drafts: readonly Draft[] }
export type Drafted = { members: readonly MemberDrafts[]; issues: readonly Issue[]; notices: readonly Notice[] }

/** The same thing missing for many cells is told once. */
const once = <T>(things: readonly T[]): T[] => [
  ...new Map(things.map((thing) => [JSON.stringify(thing), thing])).values(),
]

/** What every member would pay for, before whole units; with everything that stands in the way. */
export function draftMonth(input: MonthInput, energy: MonthEnergy): Drafted {
  const pricing = createPricing(input, energy.period)
  const producers = new Map(input.producers.map((producer) => [producer.id, producer]))
  const desk: Desk = { input, energy, pricing, producers, issues: [] }
  const segments = segmentsOf(input, energy.period)
  const members = [...input.members]
    .sort(memberOrder)
    .map((member) => ({ member, drafts: draftsOf(desk, member, segments) }))
  return {
    members,
    issues: once([...desk.issues, ...pricing.issues]),
    notices: once([...energy.notices, ...pricing.notices]),
  }
}
