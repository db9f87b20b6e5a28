import { expect, test } from 'vitest'
import { buildCells, buildMember, buildOctober, computeOctoberBill } from './testing/small-month.ts'

const listLines = (input: Parameters<typeof computeOctoberBill>[0]) =>
  computeOctoberBill(input).documents.flatMap(({ lines }) => lines)

test('bills a month of two members', () => {
  const month = computeOctoberBill(buildOctober())
  // 123 456,33 and 43 218,62 Wh: 166 674,95 in all.
  expect(Object.fromEntries(month.units)).toEqual({ M1: 123_456, M2: 43_219 })
  expect(month.totalUnits).toBe(166_675)
  expect(month.documents).toMatchObject([
    {
      seller: 'S1',
      buyer: 'B1',
      document: 'invoice',
      lines: [
        {
          kind: 'energy',
          from: '2026-10-01',
          to: '2026-11-01',
          rule: 'base',
          wh: 123_456,
          price: 1_237,
          net: 1_527,
          source: 'definitive',
          wattMinutes: '7407380',
        },
      ],
      vat: [{ category: 'S', rate: 2_000, base: 1_527, tax: 305 }],
      totals: { lines: 1_527, allowances: 0, net: 1_527, tax: 305, gross: 1_832 },
    },
    { buyer: 'B2', lines: [{ wh: 43_219, net: 535 }], totals: { net: 535, tax: 107, gross: 642 } },
  ])
})

test('equal remainders go to the larger, then to the first point, then to the first entry', () => {
  const members = [
    { ...buildMember(2), id: 'late', from: '2026-10-05' },
    { ...buildMember(2), id: 'early', to: '2026-10-05' },
    buildMember(1),
  ]
  const halves = [buildCells('late', { 9: 90 }), buildCells('early', { 2: 90 }), buildCells('M1', { 2: 90 })]
  expect(Object.fromEntries(computeOctoberBill(buildOctober({ members, cells: halves })).units)).toEqual({
    late: 1,
    early: 2,
    M1: 2,
  })
  const larger = [buildCells('late', { 9: 150 }), buildCells('early', { 2: 90 })]
  expect(Object.fromEntries(computeOctoberBill(buildOctober({ members, cells: larger })).units)).toEqual({
    late: 3,
    early: 1,
    M1: 0,
  })
})

test('lines are sorted by sub-period, class, rule, liability and seller, then fees', () => {
  const input = buildOctober({
    sellers: ['S1', 'S2'].map((id) => ({
      id,
      vat: [{ from: '2020-01-01', to: null, mode: 'standard' as const, rate: 2_000 }],
    })),
    producers: [
      { id: 'P1', seller: 'S1', accise: true },
      { id: 'P2', seller: 'S1' },
    ],
    members: [{ ...buildMember(1), acciseClass: 'pme' }],
    cells: ['P1', 'P2'].flatMap((producer) =>
      ['HCB', 'Base', 'P', 'HPB'].map((name) => buildCells('M1', { 2: 123_457, 20: 76_543 }, { producer, name })),
    ),
    tariffs: [
      {
        from: '2025-01-01',
        to: '2026-10-12',
        rules: [
          { id: 'other', price: 900, class: 'Base' },
          { id: 'low', price: 800, class: 'HCB' },
          { id: 'peak', price: 1_900, class: 'P' },
          { id: 'base', price: 1_200 },
        ],
      },
      { from: '2026-10-12', to: null, rules: [{ id: 'all', price: 1_111 }] },
    ],
    fees: [{ id: 'abo', seller: 'S1', amount: 599, every: 'month', from: '2025-01-01', to: null }],
    accise: [{ class: 'pme', from: '2026-02-01', to: null, centsPerMwh: 2_658 }],
  })
  expect(listLines(input).map((line) => `${line.kind} ${line.from.slice(8)} ${line.rule} ${line.liable}`)).toEqual([
    ...['base', 'peak', 'low', 'other'].flatMap((rule) => [
      `energy 01 ${rule} false`,
      `energy 01 ${rule} true`,
      `accise 01 ${rule} true`,
    ]),
    'energy 12 all false',
    'energy 12 all true',
    'accise 12 all true',
    'fee 01 abo false',
  ])
})

test('a start date splits the month for all members; an end date alone does not', () => {
  const cut = listLines(
    buildOctober({
      cells: [buildCells('M1', { 3: 700_001, 17: 650_003 })],
      accise: [{ class: 'pme', from: '2026-10-16', to: '2026-10-20', centsPerMwh: 2_658 }],
    }),
  )
  expect(cut.map(({ from, to }) => [from, to])).toEqual([
    ['2026-10-01', '2026-10-16'],
    ['2026-10-16', '2026-11-01'],
  ])
  const entered = listLines(
    buildOctober({
      members: [{ ...buildMember(1), from: '2026-10-10', to: '2026-10-21' }],
      cells: [buildCells('M1', { 10: 700_001 })],
      tariffs: [
        { from: '2025-01-01', to: '2026-10-10', rules: [{ id: 'old', price: 1_000 }] },
        { from: '2026-10-10', to: '2026-10-25', rules: [{ id: 'new', price: 1_100 }] },
      ],
    }),
  )
  expect(entered.map(({ from, to, rule }) => [from, to, rule])).toEqual([['2026-10-10', '2026-10-21', 'new']])
})

test('an index applies from its day, always computed from P0', () => {
  const values = [
    { from: '2025-01-01', value: '115.0' },
    { from: '2026-10-15', value: '118.91' },
  ]
  const tariffs = [
    { from: '2025-01-01', to: null, rules: [{ id: 'ix', price: 1_150, index: { base: '113.42', values } }] },
  ]
  const lines = listLines(buildOctober({ tariffs, cells: [buildCells('M1', { 1: 3_000_026, 20: 3_000_026 })] }))
  expect(lines).toMatchObject([
    { price: 1_166, from: '2026-10-01' },
    { price: 1_206, from: '2026-10-15', trace: { p0: 1_150, index: { value: '118.91', base: '113.42' } } },
  ])
})

test('accise is due on the kWh of large sites only, at the consumer’s rate of the day', () => {
  const lines = listLines(
    buildOctober({
      producers: [
        { id: 'P1', seller: 'S1', accise: true },
        { id: 'P2', seller: 'S1' },
      ],
      members: [{ ...buildMember(1), acciseClass: 'menage' }],
      cells: [buildCells('M1', { 3: 222_667, 29: 2_152_387 }), buildCells('M1', { 3: 24_671 }, { producer: 'P2' })],
      accise: [
        { class: 'menage', from: '2026-02-01', to: '2026-10-16', centsPerMwh: 3_085 },
        { class: 'menage', from: '2026-10-16', to: null, centsPerMwh: 3_035 },
      ],
    }),
  )
  const accise = lines.filter(({ kind }) => kind === 'accise')
  expect(accise).toMatchObject([
    { wh: 3_711, centsPerMwh: 3_085, net: 11, category: 'S', acciseClass: 'menage' },
    { wh: 35_873, centsPerMwh: 3_035, net: 109 },
  ])
})

test('VAT is that of the seller on the last day of the month', () => {
  const vat = [
    { from: '2020-01-01', to: '2026-10-31', mode: 'exempt' as const, rate: 0 },
    { from: '2026-10-31', to: null, mode: 'standard' as const, rate: 2_000 },
  ]
  expect(computeOctoberBill(buildOctober({ sellers: [{ id: 'S1', vat }] })).documents[0]?.vat).toMatchObject([
    { category: 'S', rate: 2_000 },
  ])
  const after = vat.map((each) => ({ ...each, from: each.from.replace('10-31', '11-01'), to: each.to && '2026-11-01' }))
  expect(computeOctoberBill(buildOctober({ sellers: [{ id: 'S1', vat: after }] })).documents[0]?.vat).toMatchObject([
    { category: 'E', rate: 0, tax: 0 },
  ])
})

test('VAT collected elsewhere is category E, and is notified at each closing', () => {
  const vat = [{ from: '2020-01-01', to: null, mode: 'elsewhere' as const, rate: 2_000 }]
  const month = computeOctoberBill(buildOctober({ sellers: [{ id: 'S1', vat }] }))
  expect(month.documents[0]?.vat).toMatchObject([{ category: 'E', rate: 0, tax: 0 }])
  expect(month.notices).toEqual([{ code: 'vatCollectedElsewhere', seller: 'S1' }])
})

test('a fee outside VAT gets a separate document, unless its whole seller is outside', () => {
  const fees = [
    { id: 'share', seller: 'S1', amount: 1_000, every: 'year' as const, from: '2026-01-01', to: null, outside: true },
  ]
  const apart = computeOctoberBill(
    buildOctober({ members: [buildMember(1)], cells: [buildCells('M1', { 8: 4_666_620 })], fees }),
  ).documents
  expect(apart.map(({ apart: alone, vat }) => [alone, vat[0]?.category, vat.length])).toEqual([
    [false, 'S', 1],
    [true, 'O', 1],
  ])
  const sellers = [{ id: 'S1', vat: [{ from: '2020-01-01', to: null, mode: 'outside' as const, rate: 0 }] }]
  const together = computeOctoberBill(
    buildOctober({ members: [buildMember(1)], cells: [buildCells('M1', { 8: 4_666_620 })], fees, sellers }),
  ).documents
  expect(together.map(({ lines, vat }) => [lines.length, vat])).toEqual([
    [2, [{ category: 'O', rate: 0, base: 1_047, tax: 0 }]],
  ])
})

test('fees follow the membership, the group and the subscribed power', () => {
  const fee = { seller: 'S1', amount: 310, every: 'month' as const, from: '2025-01-01', to: null }
  const lines = listLines(
    buildOctober({
      members: [
        { ...buildMember(1), from: '2026-10-12', kva: 9 },
        { ...buildMember(2), group: 'social', kva: 6 },
      ],
      cells: [],
      fees: [
        { ...fee, id: 'kva', perKva: true },
        { ...fee, id: 'group', group: 'social', rate: 550 },
        { ...fee, id: 'over', to: '2026-10-01' },
      ],
    }),
  )
  expect(lines.map(({ member: id, rule, net, from, rate }) => [id, rule, net, from, rate])).toEqual([
    ['M1', 'kva', 1_800, '2026-10-12', 2_000],
    ['M2', 'group', 310, '2026-10-01', 550],
    ['M2', 'kva', 1_860, '2026-10-01', 2_000],
  ])
})

test('without energy nothing is billed; with nothing owed, a statement', () => {
  expect(computeOctoberBill(buildOctober({ cells: [] })).documents).toEqual([])
  const free = buildOctober({ tariffs: [{ from: '2025-01-01', to: null, rules: [{ id: 'social', price: 0 }] }] })
  expect(computeOctoberBill(free).documents.map(({ document }) => document)).toEqual(['statement', 'statement'])
  const fee = { id: 'abo', seller: 'S1', amount: 0, every: 'month' as const, from: '2025-01-01', to: null }
  expect(computeOctoberBill(buildOctober({ cells: [], fees: [fee] })).documents).toEqual([])
})
