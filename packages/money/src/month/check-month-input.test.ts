import { expect, test } from 'vitest'
import type { MonthInput } from './input.ts'
import { buildCells, buildMember, buildOctober, computeIssues, computeOctoberBill } from './testing/small-month.ts'

test('energy without a pricing rule blocks the closing, and all cases are listed together', () => {
  const tariffs = [
    { from: '2026-10-02', to: '2026-10-10', rules: [{ id: 'peak', price: 1_234, class: 'HPB' }] },
    { from: '2026-10-20', to: null, rules: [{ id: 'base', price: 1_235 }] },
  ]
  const input = buildOctober({
    tariffs,
    cells: [
      buildCells('M1', { 1: 61, 5: 900, 11: 17, 25: 1 }),
      buildCells('M2', { 5: 900 }, { name: 'HCB' }),
      buildCells('M2', { 6: 0 }),
    ],
  })
  const noRule = { code: 'noRule', producer: 'P1' }
  expect(computeIssues(input)).toEqual([
    { ...noRule, member: 'M1', class: 'HPB', day: '2026-10-01' },
    { ...noRule, member: 'M1', class: 'HPB', day: '2026-10-11' },
    { ...noRule, member: 'M2', class: 'HCB', day: '2026-10-05' },
  ])
})

const withIndex = (acceptLastIndex: boolean) =>
  buildOctober({
    acceptLastIndex,
    tariffs: [
      {
        from: '2025-01-01',
        to: null,
        rules: [
          {
            id: 'ix',
            price: 1_200,
            index: {
              base: '110.1',
              values: [
                { from: '2026-01-01', value: '115.2' },
                { from: '2026-10-15', value: null },
              ],
            },
          },
        ],
      },
    ],
    cells: [buildCells('M1', { 3: 70_001, 17: 60_001 })],
  })

test('an index that is not published blocks the closing, unless the last one is accepted', () => {
  expect(computeIssues(withIndex(false))).toEqual([{ code: 'indexNotPublished', rule: 'ix', day: '2026-10-15' }])
  const month = computeOctoberBill(withIndex(true))
  expect(month.documents[0]?.lines).toMatchObject([{ price: 1_256 }, { price: 1_256 }])
  expect(month.notices).toEqual([{ code: 'lastIndexAccepted', rule: 'ix', day: '2026-10-15' }])
})

test('data that documents need and the month lacks are reported', () => {
  const input = buildOctober({
    sellers: [{ id: 'S1', vat: [{ from: '2020-01-01', to: '2026-10-31', mode: 'standard', rate: 2_000 }] }],
    producers: [{ id: 'P1', seller: 'S1', accise: true }],
    members: [buildMember(1), { ...buildMember(2), acciseClass: 'pme' }],
    fees: [{ id: 'kva', seller: 'S1', amount: 11, every: 'month', from: '2025-01-01', to: null, perKva: true }],
    accise: [{ class: 'pme', from: '2026-01-01', to: '2026-10-02', centsPerMwh: 2_658 }],
  })
  expect(computeIssues(input)).toEqual([
    { code: 'noAcciseClass', member: 'M1' },
    { code: 'noAcciseRate', class: 'pme', day: '2026-10-03' },
    { code: 'noKva', member: 'M1', fee: 'kva' },
    { code: 'noKva', member: 'M2', fee: 'kva' },
    { code: 'noVatMode', seller: 'S1', day: '2026-10-31' },
  ])
})

const rule = { id: 'base', price: 1_237 }
const tariff = { from: '2025-01-01', to: null, rules: [rule] }
const fee = { id: 'abo', seller: 'S1', amount: 599, every: 'month' as const, from: '2025-01-01', to: null }
const seller = (vat: MonthInput['sellers'][number]['vat']) => [{ id: 'S1', vat }]
const standard = { from: '2020-01-01', to: null, mode: 'standard' as const, rate: 2_000 }

test.each<[string, Partial<MonthInput>, object]>([
  ['a month that is none', { month: '2026-13' }, { code: 'badMonth' }],
  ['a unit of nothing', { resolutionWh: 0 }, { code: 'badResolution' }],
  [
    'a negative price',
    { tariffs: [{ ...tariff, rules: [{ ...rule, price: -1 }] }] },
    { code: 'badFigure', what: 'rule', field: 'price' },
  ],
  [
    'a price with decimals',
    { tariffs: [{ ...tariff, rules: [{ ...rule, price: 12.5 }] }] },
    { code: 'badFigure', field: 'price' },
  ],
  [
    'two rules of one name',
    { tariffs: [{ ...tariff, rules: [rule, { ...rule, class: 'P' }] }] },
    { code: 'repeatedId', what: 'rule' },
  ],
  [
    'two rules for the same',
    { tariffs: [{ ...tariff, rules: [rule, { id: 'b', price: 7 }] }] },
    { code: 'tiedRules', rules: ['base', 'b'] },
  ],
  [
    'versions that overlap',
    { tariffs: [tariff, { ...tariff, from: '2026-10-09' }] },
    { code: 'overlappingVersions', what: 'tariff', from: '2026-10-09' },
  ],
  [
    'an index of words',
    { tariffs: [{ ...tariff, rules: [{ ...rule, index: { base: '1,5', values: [] } }] }] },
    { code: 'badFigure', field: 'index' },
  ],
  [
    'an index of zero',
    { tariffs: [{ ...tariff, rules: [{ ...rule, index: { base: '0', values: [] } }] }] },
    { code: 'badFigure', field: 'index' },
  ],
  [
    'a fixed part above all',
    {
      tariffs: [
        {
          ...tariff,
          rules: [{ ...rule, index: { base: '1', fixedBp: 10_001, values: [{ from: '2025-01-01', value: '1' }] } }],
        },
      ],
    },
    { code: 'badFigure', field: 'index' },
  ],
  ['an end before its start', { tariffs: [{ ...tariff, to: '2024-01-01' }] }, { code: 'badSpan', what: 'tariff' }],
  [
    'a day that is none',
    { members: [{ ...buildMember(1), from: '2026-02-30' }, buildMember(2)] },
    { code: 'badSpan', what: 'member', id: 'M1' },
  ],
  [
    'two holders at once',
    { members: [buildMember(1), buildMember(2), { ...buildMember(1), id: 'M3', from: '2026-10-30' }] },
    { code: 'holdersOverlap', members: ['M1', 'M3'] },
  ],
  [
    'a member twice',
    { members: [buildMember(1), buildMember(2), { ...buildMember(1), prm: 'x' }] },
    { code: 'repeatedId', what: 'member' },
  ],
  [
    'cells of nobody',
    { cells: [buildCells('M9', { 2: 5 })] },
    { code: 'unknownReference', field: 'member', target: 'M9' },
  ],
  [
    'cells from nowhere',
    { cells: [buildCells('M1', { 2: 5 }, { producer: 'P9' })] },
    { code: 'unknownReference', field: 'producer', target: 'P9' },
  ],
  ['negative energy', { cells: [buildCells('M1', { 2: -5 })] }, { code: 'badFigure', what: 'cells' }],
  ['a part of a watt-minute', { cells: [buildCells('M1', { 2: 0.5 })] }, { code: 'badFigure', what: 'cells' }],
  [
    'more energy than a number holds exactly',
    { cells: [buildCells('M1', { 2: 9_007_199_254_740_991 }), buildCells('M2', { 2: 1 })] },
    { code: 'badFigure', what: 'cells', id: 'M2' },
  ],
  [
    'a month of the wrong length',
    { cells: [{ ...buildCells('M1', {}), wattMinutes: [1, 2] }] },
    { code: 'badFigure', what: 'cells' },
  ],
  [
    'a producer without a seller',
    { producers: [{ id: 'P1', seller: 'S9' }] },
    { code: 'unknownReference', what: 'producer' },
  ],
  [
    'a seller of two minds',
    { sellers: seller([standard, { ...standard, mode: 'exempt', from: '2026-01-01' }]) },
    { code: 'overlappingVersions', what: 'seller' },
  ],
  ['a negative fee', { fees: [{ ...fee, amount: -1 }] }, { code: 'badFigure', what: 'fee', field: 'amount' }],
  ['a fee taxed at nothing', { fees: [{ ...fee, rate: 0 }] }, { code: 'badFigure', what: 'fee', field: 'rate' }],
  ['a fee of nobody', { fees: [{ ...fee, seller: 'S9' }] }, { code: 'unknownReference', what: 'fee' }],
  [
    'more than all taken off',
    { discounts: [{ id: 'd', percentBp: 10_001 }] },
    { code: 'badFigure', what: 'discount', field: 'percentBp' },
  ],
  [
    'a discount that adds',
    { discounts: [{ id: 'd', amount: -3 }] },
    { code: 'badFigure', what: 'discount', field: 'amount' },
  ],
  [
    'negative quantities',
    { distributor: [{ prm: buildMember(1).prm, from: '2026-10-01', to: '2026-11-01', class: 'P', wh: -1 }] },
    { code: 'badFigure', what: 'distributor' },
  ],
  [
    'rates that overlap',
    {
      accise: [
        { class: 'pme', from: '2026-01-01', to: null, centsPerMwh: 1 },
        { class: 'pme', from: '2026-03-01', to: null, centsPerMwh: 2 },
      ],
    },
    { code: 'overlappingVersions', what: 'accise', id: 'pme' },
  ],
])('%s is refused', (_, changes, issue) => {
  expect(computeIssues(buildOctober(changes))).toEqual(expect.arrayContaining([expect.objectContaining(issue)]))
})

const indexed = { ...rule, index: { base: '1', fixedBp: 10_000, values: [{ from: '2025-01-01', value: '1' }] } }

test.each<[string, Partial<MonthInput>]>([
  ['a discount of exactly 100 %', { discounts: [{ id: 'd', percentBp: 10_000 }] }],
  ['a rule whose price is wholly fixed', { tariffs: [{ ...tariff, rules: [indexed] }] }],
  ['energy given away', { tariffs: [{ ...tariff, rules: [{ ...rule, price: 0 }] }] }],
  ['a fee of nothing', { fees: [{ ...fee, amount: 0 }] }],
  [
    'a holder who follows another from the day on which that one leaves',
    {
      members: [
        { ...buildMember(1), to: '2026-10-15' },
        buildMember(2),
        { ...buildMember(1), id: 'M3', from: '2026-10-15' },
      ],
    },
  ],
  [
    'a tariff that follows another from the day on which that one ends',
    {
      tariffs: [
        { ...tariff, to: '2026-10-02' },
        { ...tariff, from: '2026-10-02' },
      ],
    },
  ],
])('closeMonth: accepts %s', (_, changes) => {
  expect(computeIssues(buildOctober(changes))).toEqual([])
})
