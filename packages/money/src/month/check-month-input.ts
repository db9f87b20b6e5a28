import {
  arePeriodsOverlapping,
  daysBetween,
  getMonthPeriod,
  isDay,
  isMonth,
  type ValidityPeriod,
} from '../calendar/days.ts'
import { parseRatio } from '../numbers/exact-numbers.ts'
import { findTiedRules, type PricingRule } from '../tariff/pricing-rules.ts'
import type { MonthInput } from './input.ts'
import type { MonthInputPart, MonthIssue } from './issues.ts'

type CheckedThing = { id: string; span?: ValidityPeriod; figures?: Record<string, number | undefined> }

const isWholeOrAbsent = (value: number | undefined) =>
  value === undefined || (Number.isSafeInteger(value) && value >= 0)

/** Invalid values of one item: its days, or a figure that is negative or not an integer. */
function findThingIssues(what: MonthInputPart, { id, span, figures = {} }: CheckedThing): MonthIssue[] {
  const days = span && (!isDay(span.from) || (span.to !== null && !(isDay(span.to) && span.from < span.to)))
  const bad = Object.entries(figures).filter(([, value]) => !isWholeOrAbsent(value))
  return [
    ...(days ? [{ code: 'badSpan', what, id } as const] : []),
    ...bad.map(([field]): MonthIssue => ({ code: 'badFigure', what, id, field })),
  ]
}

function findRepeatedIds(what: MonthInputPart, named: readonly { id: string }[]): MonthIssue[] {
  const twice = Map.groupBy(named, ({ id }) => id)
    .entries()
    .filter(([, same]) => same.length > 1)
  return [...twice].map(([id]) => ({ code: 'repeatedId', what, id }))
}

/** Each pair within one group whose periods overlap. */
function findOverlappingPairs<T extends ValidityPeriod>(things: readonly T[], groupOf: (thing: T) => string): [T, T][] {
  return [...Map.groupBy(things, groupOf).values()].flatMap((group) =>
    group.flatMap((thing, at) =>
      group
        .slice(at + 1)
        .filter((other) => arePeriodsOverlapping(thing, other))
        .map((other): [T, T] => [thing, other]),
    ),
  )
}

function findOverlappingVersions(what: MonthInputPart, id: string, spans: readonly ValidityPeriod[]): MonthIssue[] {
  return findOverlappingPairs(spans, () => id).map(([a, b]) => ({
    code: 'overlappingVersions',
    what,
    id,
    from: a.from > b.from ? a.from : b.from,
  }))
}

function isIndexValue(text: string): boolean {
  try {
    return parseRatio(text).num > 0n
  } catch {
    return false
  }
}

function findRuleIssues({ id, price, index }: PricingRule): MonthIssue[] {
  const figures = { price, fixedBp: index?.fixedBp, floor: index?.floor, cap: index?.cap }
  const texts = index ? [index.base, ...index.values.flatMap(({ value }) => value ?? [])] : []
  return [
    ...findThingIssues('rule', { id, figures }),
    ...(texts.every(isIndexValue) && (index?.fixedBp ?? 0) <= 10_000
      ? []
      : [{ code: 'badFigure', what: 'rule', id, field: 'index' } as const]),
  ]
}

function findTariffIssues({ tariffs, accise }: MonthInput): MonthIssue[] {
  const classes = [...new Set(accise.map((rate) => rate.class))]
  return [
    ...tariffs.flatMap((span) => findThingIssues('tariff', { id: span.from, span })),
    ...findOverlappingVersions('tariff', 'tariff', tariffs),
    ...tariffs.flatMap(({ rules }) => [...findRepeatedIds('rule', rules), ...rules.flatMap(findRuleIssues)]),
    ...tariffs.flatMap(({ from, rules }) =>
      findTiedRules(rules).map(([a, b]): MonthIssue => ({ code: 'tiedRules', from, rules: [a.id, b.id] })),
    ),
    ...accise.flatMap((rate) =>
      findThingIssues('accise', { id: rate.class, span: rate, figures: { centsPerMwh: rate.centsPerMwh } }),
    ),
    ...classes.flatMap((name) =>
      findOverlappingVersions(
        'accise',
        name,
        accise.filter((rate) => rate.class === name),
      ),
    ),
  ]
}

function findPartyIssues({ sellers, producers, members }: MonthInput): MonthIssue[] {
  const known = new Set(sellers.map(({ id }) => id))
  return [
    ...findRepeatedIds('seller', sellers),
    ...sellers.flatMap(({ id, vat }) => [
      ...vat.flatMap((span) => findThingIssues('seller', { id, span, figures: { rate: span.rate } })),
      ...findOverlappingVersions('seller', id, vat),
    ]),
    ...findRepeatedIds('producer', producers),
    ...producers
      .filter(({ seller }) => !known.has(seller))
      .map(
        ({ id, seller }): MonthIssue => ({
          code: 'unknownReference',
          what: 'producer',
          id,
          field: 'seller',
          target: seller,
        }),
      ),
    ...findRepeatedIds('member', members),
    ...members.flatMap((member) =>
      findThingIssues('member', { id: member.id, span: member, figures: { kva: member.kva } }),
    ),
    ...findOverlappingPairs(members, ({ prm }) => prm).map(
      ([a, b]): MonthIssue => ({ code: 'holdersOverlap', prm: a.prm, members: [a.id, b.id] }),
    ),
  ]
}

function findPriceIssues({ sellers, fees, discounts }: MonthInput): MonthIssue[] {
  const known = new Set(sellers.map(({ id }) => id))
  const listLostIssues = (what: MonthInputPart, id: string, seller: string | undefined): MonthIssue[] =>
    seller === undefined || known.has(seller)
      ? []
      : [{ code: 'unknownReference', what, id, field: 'seller', target: seller }]
  return [
    ...findRepeatedIds('fee', fees),
    ...fees.flatMap((fee) => [
      ...findThingIssues('fee', { id: fee.id, span: fee, figures: { amount: fee.amount, rate: fee.rate } }),
      ...listLostIssues('fee', fee.id, fee.seller),
      // VAT category S (standard) requires a rate above zero: what is not taxed is outside VAT, or its seller is
      // exempt.
      ...(fee.rate === 0 ? [{ code: 'badFigure', what: 'fee', id: fee.id, field: 'rate' } as const] : []),
    ]),
    ...findRepeatedIds('discount', discounts),
    ...discounts.flatMap((discount) => [
      ...findThingIssues('discount', {
        id: discount.id,
        figures: { amount: discount.amount, percentBp: discount.percentBp },
      }),
      ...((discount.percentBp ?? 0) > 10_000
        ? [{ code: 'badFigure', what: 'discount', id: discount.id, field: 'percentBp' } as const]
        : []),
      ...listLostIssues('discount', discount.id, discount.seller),
    ]),
  ]
}

function findCellIssues({ month, members, producers, cells }: MonthInput): MonthIssue[] {
  const { from, to } = getMonthPeriod(month)
  const days = daysBetween(from, to)
  const names = { member: new Set(members.map(({ id }) => id)), producer: new Set(producers.map(({ id }) => id)) }
  let total = 0
  return cells.flatMap((row): MonthIssue[] => {
    const lost = (['member', 'producer'] as const)
      .filter((field) => !names[field].has(row[field]))
      .map(
        (field): MonthIssue => ({ code: 'unknownReference', what: 'cells', id: row.member, field, target: row[field] }),
      )
    total += sumWhole(row.wattMinutes)
    // A sum of energies is exact as long as the sum of all of them is a safe integer.
    if (row.wattMinutes.length === days && Number.isSafeInteger(total)) return lost
    total = 0
    return [...lost, { code: 'badFigure', what: 'cells', id: row.member, field: 'wattMinutes' }]
  })
}

/** NaN where one of them is negative or not an integer. */
function sumWhole(figures: ArrayLike<number>): number {
  let sum = 0
  for (let at = 0; at < figures.length; at++) sum += isWholeOrAbsent(figures[at]) ? (figures[at] ?? 0) : Number.NaN
  return sum
}

function findDistributorIssues({ month, distributor, producers }: MonthInput): MonthIssue[] {
  const { from, to } = getMonthPeriod(month)
  return [
    ...distributor.flatMap((row) =>
      findThingIssues('distributor', { id: row.prm, span: row, figures: { wh: row.wh } }),
    ),
    ...distributor
      .filter((row) => row.from < from || row.to > to)
      .map(
        (row): MonthIssue => ({ code: 'rowBeyondMonth', prm: row.prm, class: row.class, from: row.from, to: row.to }),
      ),
    ...distributor
      .filter(({ wh }) => wh > 0 && producers.length === 0)
      .map(({ prm }): MonthIssue => ({ code: 'noProducer', prm })),
    ...findOverlappingPairs(distributor, (row) => `${row.prm} ${row.class}`).map(
      ([row, other]): MonthIssue => ({
        code: 'overlappingVersions',
        what: 'distributor',
        id: row.prm,
        from: other.from,
      }),
    ),
  ]
}

/** The invalid values of a month, found before anything is computed; empty when it may be computed. */
export function findMonthInputIssues(input: MonthInput): MonthIssue[] {
  if (!isMonth(input.month)) return [{ code: 'badMonth', month: input.month }]
  const unit: MonthIssue[] =
    Number.isSafeInteger(input.resolutionWh) && input.resolutionWh > 0
      ? []
      : [{ code: 'badResolution', resolutionWh: input.resolutionWh }]
  return [
    ...unit,
    ...findPartyIssues(input),
    ...findTariffIssues(input),
    ...findPriceIssues(input),
    ...findCellIssues(input),
    ...findDistributorIssues(input),
  ]
}
