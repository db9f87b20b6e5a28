import { addDays, type Day, daysBetween, getMonthPeriod } from '../../calendar/days.ts'
import type { PricingRule, TariffVersion } from '../../tariff/pricing-rules.ts'
import type { BillingFee, BillingMember, DistributorRow, EnergyCells, MonthInput } from '../input.ts'

/** A quarter of the cases; all of them with TEST_ALL. */
export const getPropertyRuns = (whole: number) => ({ numRuns: process.env.TEST_ALL ? whole : Math.ceil(whole / 4) })

/** Random integers from a seed, the same on every machine. */
export type RandomInteger = (below: number) => number

export function createRandom(seed: number): RandomInteger {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const CLASSES = ['P', 'HPH', 'HCH', 'HPB', 'HCB', 'Base']
const MODES = ['standard', 'standard', 'standard', 'exempt', 'outside', 'elsewhere'] as const
const list = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

function randomMember(random: RandomInteger, at: number, first: Day): BillingMember {
  const entry = random(3) === 0 ? addDays(first, random(28)) : '2025-01-01'
  return {
    id: `M${at}`,
    prm: `3000000000000${at}`,
    buyer: `B${random(4)}`,
    from: entry,
    to: random(4) === 0 ? addDays(entry < first ? first : entry, 1 + random(25)) : null,
    kva: 3 + random(33),
    acciseClass: random(2) ? 'menage' : 'pme',
    ...(random(3) === 0 ? { group: 'social' } : {}),
  }
}

function randomRules(random: RandomInteger, mark: string, first: Day): PricingRule[] {
  const index = {
    base: '113.42',
    fixedBp: random(3) * 1_313,
    values: [
      { from: '2025-01-01', value: '117.9' },
      { from: addDays(first, 9 + random(18)), value: '121.07' },
    ],
  }
  return [
    { id: `base${mark}`, price: 700 + random(900), ...(random(2) ? { index } : {}) },
    { id: `class${mark}`, price: random(2_000), class: CLASSES[random(6)] ?? 'P' },
    { id: `producer${mark}`, price: random(2_000), producer: 'P1' },
    { id: `group${mark}`, price: random(2) * 533, group: 'social' },
    { id: `buyer${mark}`, price: random(1_500), buyer: 'B1' },
  ]
}

export function randomTariffs(random: RandomInteger, first: Day): TariffVersion[] {
  if (random(2)) return [{ from: '2025-01-01', to: null, rules: randomRules(random, '', first) }]
  const cut = addDays(first, 1 + random(27))
  return [
    { from: '2025-01-01', to: cut, rules: randomRules(random, '', first) },
    { from: cut, to: null, rules: randomRules(random, 'Next', first) },
  ]
}

export function randomRow(random: RandomInteger, member: string, producer: string, days: number): EnergyCells {
  const wattMinutes = Float64Array.from(list(days, () => (random(3) ? random(200_000) : random(90))))
  return { member, producer, class: CLASSES[random(6)] ?? 'P', wattMinutes }
}

export const randomQuantities = (
  random: RandomInteger,
  prm: string,
  { from, to }: { from: Day; to: Day },
): DistributorRow[] =>
  [...new Set(list(1 + random(3), () => CLASSES[random(6)] ?? 'P'))].map((name) => ({
    prm,
    from,
    to,
    class: name,
    wh: random(90_000),
  }))

function randomFees(random: RandomInteger): BillingFee[] {
  const every = (['month', 'quarter', 'year'] as const)[random(3)] ?? 'month'
  const [from, to] = ['2025-03-11', null]
  return [
    { id: 'fee', seller: 'S0', amount: random(2_000), every, from, to, ...(random(2) ? { perKva: true } : {}) },
    {
      id: 'share',
      seller: 'S0',
      amount: 1_777,
      every: 'year' as const,
      from,
      to,
      ...(random(2) ? { outside: true } : { rate: 550 }),
    },
  ].slice(0, random(3))
}

/**
 * A small month with a bit of everything: entries, exits, two tariffs, an index, fees, discounts, accise, both sources.
 */
export function randomMonth(random: RandomInteger, month = '2026-10'): MonthInput {
  const period = getMonthPeriod(month)
  const days = daysBetween(period.from, period.to)
  const sellers = list(1 + random(3), (at) => ({
    id: `S${at}`,
    vat: [{ from: '2020-01-01', to: null, mode: MODES[random(6)] ?? ('standard' as const), rate: 2_000 }],
  }))
  const producers = list(1 + random(3), (at) => ({
    id: `P${at}`,
    seller: `S${random(sellers.length)}`,
    ...(random(3) === 0 ? { accise: true } : {}),
  }))
  const members = list(1 + random(5), (at) => randomMember(random, at, period.from))
  return {
    month,
    resolutionWh: random(4) ? 1 : 1_000,
    sellers,
    producers,
    members,
    cells: members.flatMap(({ id }) =>
      list(random(4), () => randomRow(random, id, `P${random(producers.length)}`, days)),
    ),
    distributor: members.flatMap(({ prm }) => (random(3) ? [] : randomQuantities(random, prm, period))),
    tariffs: randomTariffs(random, period.from),
    fees: randomFees(random),
    discounts: [
      { id: 'percent', percentBp: random(2_500) },
      { id: 'fixed', amount: random(700), buyer: 'B0' },
    ].slice(0, random(3)),
    accise: [
      { class: 'menage', from: '2025-01-01', to: addDays(period.from, 16), centsPerMwh: 3_085 },
      { class: 'menage', from: addDays(period.from, 16), to: null, centsPerMwh: 3_035 },
      { class: 'pme', from: '2025-01-01', to: null, centsPerMwh: 2_658 },
    ],
  }
}
