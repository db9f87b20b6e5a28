import { addDays, intersectPeriods } from '../calendar/days.ts'
import {
  addRatios,
  apportion,
  apportionRoundedSum,
  compareText,
  type Ratio,
  sumRatios,
  toRatio,
  ZERO,
} from '../numbers/exact-numbers.ts'
import { getClassSortKey } from '../tariff/pricing-rules.ts'
import type { BillingMember, BillingProducer, MonthInput } from './input.ts'
import type { MonthIssue, MonthNotice } from './issues.ts'
import type { EnergyLayer, MonthEnergy } from './month-energy.ts'
import {
  buildPricingSegments,
  createPricing,
  type Pricing,
  type PricingSegment,
  type ResolvedPrice,
} from './pricing.ts'

/** A line before rounding to whole units: seller, member, sub-period, rule, liable for accise or not. */
export type LineDraft = {
  seller: string
  member: BillingMember
  from: string
  to: string
  price: ResolvedPrice
  accise: { class: string; centsPerMwh: number } | null
  /** Exact watt-minutes. */
  energy: Ratio
}
type SortableDraft = LineDraft & { segment: number }

/** Members by point, then entry. */
export const compareMembers = (a: BillingMember, b: BillingMember): number =>
  compareText(a.prm, b.prm) || compareText(a.from, b.from)

/** Within a member: sub-period, class of the rule, rule, energy without accise first, seller. */
const compareDrafts = (a: SortableDraft, b: SortableDraft): number =>
  a.segment - b.segment ||
  compareText(getClassSortKey(a.price.rule.class), getClassSortKey(b.price.rule.class)) ||
  compareText(a.price.rule.id, b.price.rule.id) ||
  Number(a.accise !== null) - Number(b.accise !== null) ||
  compareText(a.seller, b.seller)

/** The weight of the layer within the segment, and the first of its days on or after a given one. */
function sumWeight({ weights }: EnergyLayer, { first, end }: PricingSegment, after: number) {
  let weight = 0
  let late: number | undefined
  for (let day = first; day < end; day++) {
    const value = weights[day] ?? 0
    weight += value
    if (value > 0 && day >= after && late === undefined) late = day
  }
  return { weight, late }
}

type DraftContext = {
  input: MonthInput
  energy: MonthEnergy
  pricing: Pricing
  producers: ReadonlyMap<string, BillingProducer>
  issues: MonthIssue[]
}

/** The accise rate that applies, or the reason why it is unknown. */
function getAcciseRate(
  context: DraftContext,
  member: BillingMember,
  layer: EnergyLayer,
  segment: PricingSegment,
): LineDraft['accise'] {
  if (!context.producers.get(layer.producer)?.accise) return null
  if (member.acciseClass === undefined) {
    context.issues.push({ code: 'noAcciseClass', member: member.id })
    return null
  }
  const rate = context.pricing.acciseOf(member.acciseClass, segment)
  const { late } = sumWeight(layer, segment, rate ? rate.until : segment.first)
  if (late !== undefined)
    context.issues.push({
      code: 'noAcciseRate',
      class: member.acciseClass,
      day: addDays(context.energy.period.from, late),
    })
  return { class: member.acciseClass, centsPerMwh: rate?.centsPerMwh ?? 0 }
}

function buildLineDraft(
  context: DraftContext,
  member: BillingMember,
  layer: EnergyLayer,
  at: number,
  segment: PricingSegment,
): SortableDraft | undefined {
  const memberPeriod = intersectPeriods(segment, member)
  const { weight } = sumWeight(layer, segment, segment.end)
  if (weight === 0 || !memberPeriod) return undefined
  const price = context.pricing.priceOf(member, layer.producer, layer.class, segment)
  const { late } = sumWeight(layer, segment, price ? price.until : segment.first)
  if (late !== undefined || !price) {
    const day = addDays(context.energy.period.from, late ?? segment.first)
    context.issues.push({ code: 'noRule', member: member.id, producer: layer.producer, class: layer.class, day })
    return undefined
  }
  const seller = context.producers.get(layer.producer)?.seller ?? ''
  const accise = getAcciseRate(context, member, layer, segment)
  const energy = toRatio(BigInt(weight) * layer.num, layer.den)
  return { seller, member, ...memberPeriod, segment: at, price, accise, energy }
}

/** The lines of a member, in their order; energy of one line adds up exactly. */
function buildMemberDrafts(
  context: DraftContext,
  member: BillingMember,
  segments: readonly PricingSegment[],
): LineDraft[] {
  const lines = new Map<string, SortableDraft>()
  for (const layer of context.energy.layers.get(member.id) ?? [])
    for (const [at, segment] of segments.entries()) {
      const draft = buildLineDraft(context, member, layer, at, segment)
      if (!draft) continue
      const name = JSON.stringify([draft.seller, at, draft.price.rule.id, draft.accise !== null])
      lines.set(name, { ...draft, energy: addRatios(lines.get(name)?.energy ?? ZERO, draft.energy) })
    }
  return [...lines.values()].sort(compareDrafts)
}

export type MemberDrafts = { member: BillingMember; drafts: readonly LineDraft[] }
type DraftedMonth = {
  members: readonly MemberDrafts[]
  issues: readonly MonthIssue[]
  notices: readonly MonthNotice[]
}

/** Something missing for many amounts is reported once. */
const removeDuplicates = <T>(things: readonly T[]): T[] => [
  ...new Map(things.map((thing) => [JSON.stringify(thing), thing])).values(),
]

/** What every member would pay for, before rounding to whole units; with everything that blocks it. */
export function draftMonth(input: MonthInput, energy: MonthEnergy): DraftedMonth {
  const pricing = createPricing(input, energy.period)
  const producers = new Map(input.producers.map((producer) => [producer.id, producer]))
  const context: DraftContext = { input, energy, pricing, producers, issues: [] }
  const segments = buildPricingSegments(input, energy.period)
  const members = [...input.members]
    .sort(compareMembers)
    .map((member) => ({ member, drafts: buildMemberDrafts(context, member, segments) }))
  return {
    members,
    issues: removeDuplicates([...context.issues, ...pricing.issues]),
    notices: removeDuplicates([...energy.notices, ...pricing.notices]),
  }
}

/** Units of a member, and of each of its lines. */
export type MemberUnits = { units: number; lines: readonly number[] }

/** Watt-minutes in units of `resolutionWh`. */
const toUnits = ({ num, den }: Ratio, resolutionWh: number): Ratio => ({ num, den: den * 60n * BigInt(resolutionWh) })

/**
 * Divides the total of the operation over the members, then the units of each member over its lines, both by largest
 * remainder: lines sum to the member and members to the operation. Members in `kept` keep their units; the others share
 * the rounded sum of their exact energies.
 */
export function apportionMemberUnits(
  members: readonly MemberDrafts[],
  resolutionWh: number,
  kept: ReadonlyMap<string, number> = new Map(),
): Map<string, MemberUnits> {
  const shares = members.map(({ member, drafts }) => {
    const lines = drafts.map(({ energy }) => toUnits(energy, resolutionWh))
    return { id: member.id, lines, whole: sumRatios(lines) }
  })
  const sharing = shares.filter(({ id }) => !kept.has(id))
  const { units } = apportionRoundedSum(sharing.map(({ whole }) => whole))
  const given = new Map(sharing.map(({ id }, at) => [id, units[at] ?? 0]))
  return new Map(
    shares.map(({ id, lines }) => {
      const own = kept.get(id) ?? given.get(id) ?? 0
      return [id, { units: own, lines: apportion(lines, own) }]
    }),
  )
}
