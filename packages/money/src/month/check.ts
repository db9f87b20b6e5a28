import { daysBetween, isDay, isMonth, monthPeriod, overlap, type Span } from '../calendar/days.ts'
import { readRatio } from '../numbers/ratio.ts'
import { type Rule, tiedRules } from '../tariff/rules.ts'
import type { MonthInput } from './input.ts'
import type { Issue, Named } from './issues.ts'

type Found = { id: string; span?: Span; figures?: Record<string, number | undefined> }

const whole = (value: number | undefined) => value === undefined || (Number.isSafeInteger(value) && value >= 0)

/** What is absurd in one thing: its days, or a figure that is negative or no integer. */
function faults(what: Named, { id, span, figures = {} }: Found): Issue[] {
  const days = span && (!isDay(span.from) || (span.to !== null && !(isDay(span.to) && span.from < span.to)))
  const bad = Object.entries(figures).filter(([, value]) => !whole(value))
  return [
    ...(days ? [{ code: 'badSpan', what, id } as const] : []),
    ...bad.map(([field]): Issue => ({ code: 'badFigure', what, id, field })),
  ]
}

function repeated(what: Named, named: readonly { id: string }[]): Issue[] {
  const twice = Map.groupBy(named, ({ id }) => id)
    .entries()
    .filter(([, same]) => same.length > 1)
  return [...twice].map(([id]) => ({ code: 'repeatedId', what, id }))
}

/** Each pair of one group whose spans meet. */
function meeting<T extends Span>(things: readonly T[], groupOf: (thing: T) => string): [T, T][] {
  return [...Map.groupBy(things, groupOf).values()].flatMap((group) =>
    group.flatMap((thing, at) =>
      group
        .slice(at + 1)
        .filter((other) => overlap(thing, other))
        .map((other): [T, T] => [thing, other]),
    ),
  )
}

function overlapping(what: Named, id: string, spans: readonly Span[]): Issue[] {
  return meeting(spans, () => id).map(([a, b]) => ({
    code: 'overlappingVersions',
    what,
    id,
    from: a.from > b.from ? a.from : b.from,
  }))
}

function isIndex(text: string): boolean {
  try {
    return readRatio(text).num > 0n
  } catch {
    return false
  }
}

function ruleFaults({ id, price, index }: Rule): Issue[] {
  const figures = { price, fixedBp: index?.fixedBp, floor: index?.floor, cap: index?.cap }
  const texts = index ? [index.base, ...index.values.flatMap(({ value }) => value ?? [])] : []
  return [
    ...faults('rule', { id, figures }),
    ...(texts.every(isIndex) && (index?.fixedBp ?? 0) <= 10_000
      ? []
      : [{ code: 'badFigure', what: 'rule', id, field: 'index' } as const]),
  ]
}

function tariffFaults({ tariffs, accise }: MonthInput): Issue[] {
  const classes = [...new Set(accise.map((rate) => rate.class))]
  return [
    ...tariffs.flatMap((span) => faults('tariff', { id: span.from, span })),
    ...overlapping('tariff', 'tariff', tariffs),
    ...tariffs.flatMap(({ rules }) => [...repeated('rule', rules), ...rules.flatMap(ruleFaults)]),
    ...tariffs.flatMap(({ from, rules }) =>
      tiedRules(rules).map(([a, b]): Issue => ({ code: 'tiedRules', from, rules: [a.id, b.id] })),
    ),
    ...accise.flatMap((rate) =>
      faults('accise', { id: rate.class, span: rate, figures: { centsPerMwh: rate.centsPerMwh } }),
    ),
    ...classes.flatMap((name) =>
      overlapping(
        'accise',
        name,
        accise.filter((rate) => rate.class === name),
      ),
    ),
  ]
}

function peopleFaults({ sellers, producers, members }: MonthInput): Issue[] {
  const known = new Set(sellers.map(({ id }) => id))
  return [
    ...repeated('seller', sellers),
    ...sellers.flatMap(({ id, vat }) => [
      ...vat.flatMap((span) => faults('seller', { id, span, figures: { rate: span.rate } })),
      ...overlapping('seller', id, vat),
    ]),
    ...repeated('producer', producers),
    ...producers
      .filter(({ seller }) => !known.has(seller))
      .map(
        ({ id, seller }): Issue => ({
          code: 'unknownReference',
          what: 'producer',
          id,
          field: 'seller',
          target: seller,
        }),
      ),
    ...repeated('member', members),
    ...members.flatMap((member) => faults('member', { id: member.id, span: member, figures: { kva: member.kva } })),
    ...meeting(members, ({ prm }) => prm).map(
      ([a, b]): Issue => ({ code: 'holdersOverlap', prm: a.prm, members: [a.id, b.id] }),
    ),
  ]
}

function priceFaults({ sellers, fees, discounts }: MonthInput): Issue[] {
  const known = new Set(sellers.map(({ id }) => id))
  const lost = (what: Named, id: string, seller: string | undefined): Issue[] =>
    seller === undefined || known.has(seller)
      ? []
      : [{ code: 'unknownReference', what, id, field: 'seller', target: seller }]
  return [
    ...repeated('fee', fees),
    ...fees.flatMap((fee) => [
      ...faults('fee', { id: fee.id, span: fee, figures: { amount: fee.amount, rate: fee.rate } }),
      ...lost('fee', fee.id, fee.seller),
      // Category S bears no rate of zero: what is not taxed is outside VAT, or its seller is exempt.
      ...(fee.rate === 0 ? [{ code: 'badFigure', what: 'fee', id: fee.id, field: 'rate' } as const] : []),
    ]),
    ...repeated('discount', discounts),
    ...discounts.flatMap((discount) => [
      ...faults('discount', { id: discount.id, figures: { amount: discount.amount, percentBp: discount.percentBp } }),
      ...((discount.percentBp ?? 0) > 10_000
        ? [{ code: 'badFigure', what: 'discount', id: discount.id, field: 'percentBp' } as const]
        : []),
      ...lost('discount', discount.id, discount.seller),
    ]),
  ]
}

function cellFaults({ month, members, producers, cells }: MonthInput): Issue[] {
  const { from, to } = monthPeriod(month)
  const days = daysBetween(from, to)
  const names = { member: new Set(members.map(({ id }) => id)), producer: new Set(producers.map(({ id }) => id)) }
  let total = 0
  return cells.flatMap((row): Issue[] => {
    const lost = (['member', 'producer'] as const)
      .filter((field) => !names[field].has(row[field]))
      .map((field): Issue => ({ code: 'unknownReference', what: 'cells', id: row.member, field, target: row[field] }))
    total += wholeSum(row.wattMinutes)
    // Sums of cells stay exact as long as that of all of them does.
    if (row.wattMinutes.length === days && Number.isSafeInteger(total)) return lost
    total = 0
    return [...lost, { code: 'badFigure', what: 'cells', id: row.member, field: 'wattMinutes' }]
  })
}

/** Not a number where one of them is negative or no integer. */
function wholeSum(figures: ArrayLike<number>): number {
  let sum = 0
  for (let at = 0; at < figures.length; at++) sum += whole(figures[at]) ? (figures[at] ?? 0) : Number.NaN
  return sum
}

function distributorFaults({ month, distributor, producers }: MonthInput): Issue[] {
  const { from, to } = monthPeriod(month)
  return [
    ...distributor.flatMap((row) => faults('distributor', { id: row.prm, span: row, figures: { wh: row.wh } })),
    ...distributor
      .filter((row) => row.from < from || row.to > to)
      .map((row): Issue => ({ code: 'rowBeyondMonth', prm: row.prm, class: row.class, from: row.from, to: row.to })),
    ...distributor
      .filter(({ wh }) => wh > 0 && producers.length === 0)
      .map(({ prm }): Issue => ({ code: 'noProducer', prm })),
    ...meeting(distributor, (row) => `${row.prm} ${row.class}`).map(
      ([row, other]): Issue => ({ code: 'overlappingVersions', what: 'distributor', id: row.prm, from: other.from }),
    ),
  ]
}

/** What is absurd in a month before anything is computed; empty where it may be. */
export function checkMonth(input: MonthInput): Issue[] {
  if (!isMonth(input.month)) return [{ code: 'badMonth', month: input.month }]
  const unit: Issue[] =
    Number.isSafeInteger(input.resolutionWh) && input.resolutionWh > 0
      ? []
      : [{ code: 'badResolution', resolutionWh: input.resolutionWh }]
  return [
    ...unit,
    ...peopleFaults(input),
    ...tariffFaults(input),
    ...priceFaults(input),
    ...cellFaults(input),
    ...distributorFaults(input),
  ]
}
