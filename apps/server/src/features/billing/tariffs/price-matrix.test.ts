import type { TariffRule } from '@voisol/contract/tariff-terms'
import { addDays, daysBetween, getMonthPeriod, isDayInPeriod } from '@voisol/money/days'
import { parseRatio } from '@voisol/money/exact-numbers'
import type { MonthInput } from '@voisol/money/input'
import { computeMonthOutcome } from '@voisol/money/month'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createRandom,
  getPropertyRuns,
  randomMonth,
} from '../../../../../../packages/money/src/month/testing/random-months.ts'
import type { IndexTable } from './operation-prices.ts'
import { buildPriceMatrix, type EffectiveTariff, type Market } from './price-matrix.ts'

/** A random month where each line can be traced to its producer, and a buyer is in one group at all its meters. */
function plainMonth(seed: number): MonthInput {
  const month = randomMonth(createRandom(seed))
  const social = new Set(month.members.flatMap(({ buyer, group }) => (group ? [buyer] : [])))
  return {
    ...month,
    sellers: month.producers.map(({ id }) => ({
      id,
      vat: [{ from: '2020-01-01', to: null, mode: 'standard', rate: 2000 }],
    })),
    producers: month.producers.map(({ id }) => ({ id, seller: id })),
    members: month.members.map(({ group: _, ...member }) =>
      social.has(member.buyer) ? { ...member, group: 'social' } : member,
    ),
    distributor: [],
    fees: [],
    discounts: [],
    accise: [],
  }
}

const CLASSES = ['P', 'HPH', 'HCH', 'HPB', 'HCB', 'Base']
function marketIn({ members, producers }: MonthInput): Market {
  const point = (pointId: string, holderId: string, direction: 'production' | 'consumption') => ({
    pointId,
    prm: pointId,
    label: pointId,
    holder: holderId,
    holderId,
    direction,
    storage: false,
  })
  return {
    members: [
      ...members.map(({ id, buyer, from, to }) => ({ ...point(id, buyer, 'consumption'), startsOn: from, endsOn: to })),
      ...producers.map(({ id }) => ({ ...point(id, id, 'production'), startsOn: '2025-01-01', endsOn: null })),
    ],
    groupOf: new Map(members.map(({ buyer, group }) => [buyer, group ?? null])),
    groups: new Map([['social', 'Tarif social']]),
    classes: CLASSES as Market['classes'], // includes a class that nobody uses, as a distributor may have
  }
}

/** The same versions as the tables store them. */
function versionsIn({ tariffs }: MonthInput): { held: EffectiveTariff[]; indexes: IndexTable } {
  const indexes: IndexTable = new Map()
  const held = tariffs.map(({ rules, ...span }, number) => ({
    id: span.from,
    number,
    ...span,
    rules: rules.map(({ index, ...rule }) => {
      if (!index) return { ...rule, label: '' } as TariffRule // its classes are more than the contract's
      const { values, ...terms } = index
      indexes.set(rule.id, { name: rule.id, values: [...values] })
      return { ...rule, label: '', index: { ...terms, indexId: rule.id } } as TariffRule // as above
    }),
  }))
  return { held, indexes }
}

/** Energy priced by the matrix: exact watt-minutes of each day by member, producer, rule and price. */
function byMatrix(input: MonthInput): Map<string, Map<string, number>> {
  const { from, to } = getMonthPeriod(input.month)
  const market = marketIn(input)
  const { held, indexes } = versionsIn(input)
  const sums = new Map<string, Map<string, number>>()
  for (let at = 0; at < daysBetween(from, to); at++) {
    const day = addDays(from, at)
    const { rows, columns, cells } = buildPriceMatrix(held, market, indexes, day)
    for (const row of input.cells) {
      const member = input.members.find(({ id }) => id === row.member)
      if (!member || !isDayInPeriod(member, day)) continue
      const place = rows.findIndex(
        ({ kind, id }) => (kind === 'buyer' && id === member.buyer) || (kind === 'group' && id === member.group),
      )
      const own = rows.findIndex(({ kind, id }) => kind === 'buyer' && id === member.buyer)
      const others = rows.findIndex(({ kind }) => kind === 'others')
      const line = own >= 0 ? own : place >= 0 ? place : others
      const column = columns.findIndex((each) => each.producerId === row.producer && each.class === row.class)
      const cell = cells[line]?.[column]
      const name = [row.member, row.producer, cell?.rule, cell?.price].join(' ')
      const days = sums.get(name) ?? new Map<string, number>()
      sums.set(name, days.set(day, (days.get(day) ?? 0) + (row.wattMinutes[at] ?? 0)))
    }
  }
  return sums
}

type Billed = { name: string; from: string; to: string; energy: number }
function byClose(input: MonthInput): Map<string, Billed> {
  const outcome = computeMonthOutcome(input)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues))
  const sums = new Map<string, Billed>()
  for (const { seller, lines } of outcome.month.documents)
    for (const line of lines) {
      if (line.kind !== 'energy') continue
      const name = [line.member, seller, line.rule, line.price].join(' ')
      const { from, to } = line
      const key = [name, from, to].join(' ')
      const energy = (sums.get(key)?.energy ?? 0) + Number(parseRatio(line.wattMinutes).num)
      sums.set(key, { name, from, to, energy })
    }
  return sums
}

test('matches the matrix of each day with what the month bills', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0 }), (seed) => {
      const input = plainMonth(seed)
      const [shown, billed] = [byMatrix(input), byClose(input)]
      for (const { name, from, to, energy } of billed.values()) {
        const days = shown.get(name) ?? new Map<string, number>()
        const within = [...days.keys()].filter((day) => day >= from && day < to)
        expect([name, within.reduce((sum, day) => sum + (days.get(day) ?? 0), 0)]).toEqual([name, energy])
        for (const day of within) days.delete(day)
      }
      // Less than one whole unit between two changes gives no line.
      const small = 60 * input.resolutionWh * 3
      for (const [name, days] of shown)
        expect([name, [...days.values()].reduce((sum, each) => sum + each, 0) < small]).toEqual([name, true])
    }),
    getPropertyRuns(60),
  )
})

const input = plainMonth(7)
const market = marketIn(input)
const at = (rules: object[], day = '2026-10-07', indexes: IndexTable = new Map()) =>
  buildPriceMatrix(
    [{ id: 't', number: 1, from: '2026-10-03', to: null, rules: rules as TariffRule[] }],
    market,
    indexes,
    day,
  )

test('shows no price and the reason before the first version', () => {
  const { tariffId, cells } = at([{ id: 'a', label: '', price: 1543 }], '2026-10-02')
  expect(tariffId).toBeNull()
  expect(cells[0]?.[0]).toMatchObject({ price: null, missing: 'Aucun tarif adopté n’est en vigueur ce jour-là.' })
})

test('shows a missing price for a class that no rule names', () => {
  const { columns, cells } = at([{ id: 'a', label: 'Creuses', price: 1201, class: 'HCB' }])
  const shown = columns.map(({ class: name }, place) => [name, cells[0]?.[place]?.price])
  expect(shown.slice(3, 5)).toEqual([
    ['HPB', null],
    ['HCB', 1201],
  ])
  expect(cells[0]?.[3]?.missing).toBe('Aucune règle ne donne ce prix.')
  expect(cells[0]?.[4]).toMatchObject({ rule: 'a', label: 'Creuses', computation: '' })
})

test('gives no price for an announced index, and the computation once it is published', () => {
  const values = [{ from: '2026-10-05', value: '121.37' }]
  const rule = { id: 'a', label: '', price: 1543, index: { indexId: 'i', base: '118.02', fixedBp: 2000 } }
  const table = (more: { from: string; value: string | null }[]) => new Map([['i', { name: 'ILC', values: more }]])
  const cell = (day: string, more: { from: string; value: string | null }[]) =>
    at([rule], day, table(more)).cells[0]?.[0]
  expect(cell('2026-10-04', values)?.missing).toBe('L’indice «\u00a0ILC\u00a0» n’a pas de valeur ce jour-là.')
  expect(cell('2026-10-05', values)).toMatchObject({
    price: 1578,
    computation: '15,43\u00a0c€ × (0,2 + 0,8 × 121,37 / 118,02) = 15,78\u00a0c€',
  })
  expect(cell('2026-10-09', [...values, { from: '2026-10-08', value: null }])).toMatchObject({
    price: null,
    rule: 'a',
    missing: 'L’indice «\u00a0ILC\u00a0» n’est pas encore publié.',
  })
})

test('applies the group’s price outside the hours of a buyer’s own price', () => {
  const social = input.members.find(({ group }) => group === 'social') ?? input.members[0]
  const named = { ...market, groupOf: new Map([[social?.buyer ?? '', 'social']]) }
  const rules = [
    { id: 'all', label: '', price: 1543 },
    { id: 'social', label: '', price: 312, group: 'social' },
    { id: 'own', label: '', price: 97, buyer: social?.buyer, class: 'HPH' },
  ]
  const held = [{ id: 't', number: 1, from: '2026-10-03', to: null, rules: rules as TariffRule[] }]
  const day = [7, 12, 17, 22, 27]
    .map((date) => `2026-10-${String(date).padStart(2, '0')}`)
    .find((each) => social && isDayInPeriod(social, each))
  const { rows, cells } = buildPriceMatrix(held, named, new Map(), day ?? '2026-10-07')
  const line = cells[rows.findIndex(({ kind }) => kind === 'buyer')]
  expect(line?.slice(0, 3).map(({ price }) => price)).toEqual([312, 97, 312])
})
