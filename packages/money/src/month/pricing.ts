import { type Day, daysBetween, type Period } from '../calendar/days.ts'
import type { PriceTrace } from '../documents/document-lines.ts'
import {
  type AcciseRate,
  computeIndexedPrice,
  findPricingRule,
  findVersionOn,
  getIndexValueOn,
  type PricingRule,
} from '../tariff/pricing-rules.ts'
import type { BillingMember, MonthInput } from './input.ts'
import type { MonthIssue, MonthNotice } from './issues.ts'

/** Days of the month between two starts of a tariff element, as an index from its first day. */
export type PricingSegment = Period & { first: number; end: number }

/** Every start of a tariff version, an index value or an accise rate splits the month, for all members. */
export function buildPricingSegments({ tariffs, accise }: MonthInput, period: Period): PricingSegment[] {
  const starts = [
    ...tariffs.flatMap(({ from, rules }) => [
      from,
      ...rules.flatMap(({ index }) => index?.values.map((v) => v.from) ?? []),
    ]),
    ...accise.map(({ from }) => from),
  ]
  const cuts = [...new Set(starts.filter((day) => day > period.from && day < period.to))].sort()
  const bounds = [period.from, ...cuts, period.to]
  return bounds.slice(1).map((to, at) => {
    const from = bounds[at] ?? period.from
    return { from, to, first: daysBetween(period.from, from), end: daysBetween(period.from, to) }
  })
}

/** A price applies up to a day of the month: a version may end inside a segment without a next one. */
export type ResolvedPrice = { rule: PricingRule; price: number; trace: PriceTrace; until: number }
export type Pricing = {
  priceOf: (member: BillingMember, producer: string, name: string, segment: PricingSegment) => ResolvedPrice | undefined
  acciseOf: (name: string, segment: PricingSegment) => (AcciseRate & { until: number }) | undefined
  /** Index values that were missing, or whose last value was accepted. */
  issues: MonthIssue[]
  notices: MonthNotice[]
}

export function createPricing(input: MonthInput, period: Period): Pricing {
  const issues: MonthIssue[] = []
  const notices: MonthNotice[] = []
  const until = (to: Day | null) => (to === null ? Number.POSITIVE_INFINITY : daysBetween(period.from, to))

  const priceByIndex = (rule: PricingRule, tariffFrom: Day, day: Day): { price: number; trace: PriceTrace } => {
    if (!rule.index) return { price: rule.price, trace: { tariffFrom, p0: rule.price, index: null } }
    const { values: _, ...terms } = rule.index
    const asPublished = getIndexValueOn(rule.index, day, false)
    const value = getIndexValueOn(rule.index, day, input.acceptLastIndex ?? false)
    if (value === null || value === undefined) issues.push({ code: 'indexNotPublished', rule: rule.id, day })
    else if (asPublished === null) notices.push({ code: 'lastIndexAccepted', rule: rule.id, day })
    const index = value ?? terms.base
    return {
      price: computeIndexedPrice(rule.price, index, terms),
      trace: { tariffFrom, p0: rule.price, index: { ...terms, value: index } },
    }
  }
  const prices = memoizeByRule((rule: PricingRule, tariffFrom: Day, day: Day) => priceByIndex(rule, tariffFrom, day))

  return {
    issues,
    notices,
    priceOf: (member, producer, name, segment) => {
      const version = findVersionOn(input.tariffs, segment.from)
      const sale = { buyer: member.buyer, group: member.group, producer, class: name }
      const rule = version && findPricingRule(version.rules, sale)
      return rule && { rule, ...prices(rule, version.from, segment.from), until: until(version.to) }
    },
    acciseOf: (name, segment) => {
      const rate = findVersionOn(
        input.accise.filter((each) => each.class === name),
        segment.from,
      )
      return rate && { ...rate, until: until(rate.to) }
    },
  }
}

/** Computed once for each rule and day, so that a missing index is reported once. */
function memoizeByRule<T>(
  answer: (rule: PricingRule, tariffFrom: Day, day: Day) => T,
): (rule: PricingRule, from: Day, day: Day) => T {
  const known = new Map<string, T>()
  return (rule, tariffFrom, day) => {
    const name = JSON.stringify([rule.id, tariffFrom, day])
    const value = known.get(name) ?? answer(rule, tariffFrom, day)
    known.set(name, value)
    return value
  }
}
