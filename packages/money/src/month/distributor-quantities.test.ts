import { expect, test } from 'vitest'
import { buildCells, buildMember, buildOctober, computeIssues, computeOctoberBill } from './testing/small-month.ts'

const row = (at: number, name: string, wh: number, from = '2026-10-01', to = '2026-11-01') => ({
  prm: buildMember(at).prm,
  from,
  to,
  class: name,
  wh,
})
const listLines = (input: Parameters<typeof computeOctoberBill>[0]) =>
  computeOctoberBill(input).documents.flatMap(({ lines }) => lines)
const two = [
  { id: 'P1', seller: 'S1' },
  { id: 'P2', seller: 'S2' },
]
const sellers = ['S1', 'S2'].map((id) => ({
  id,
  vat: [{ from: '2020-01-01', to: null, mode: 'standard' as const, rate: 2_000 }],
}))

test('the distributor’s quantities replace ours where they cover every day', () => {
  const month = computeOctoberBill(
    buildOctober({ distributor: [row(1, 'HPB', 4_000, '2026-10-01', '2026-10-20'), row(1, 'HCB', 311, '2026-10-20')] }),
  )
  expect(Object.fromEntries(month.sources)).toEqual({
    [buildMember(1).prm]: 'distributor',
    [buildMember(2).prm]: 'definitive',
  })
  expect(month.units.get('M1')).toBe(4_311)
  expect(month.documents[0]?.lines[0]).toMatchObject({ source: 'distributor' })
})

test('a day without them keeps our energies, and is reported', () => {
  const month = computeOctoberBill(
    buildOctober({
      distributor: [row(1, 'HPB', 4_000, '2026-10-01', '2026-10-31')],
      provisional: [buildMember(1).prm],
    }),
  )
  expect(month.sources.get(buildMember(1).prm)).toBe('provisional')
  expect(month.units.get('M1')).toBe(123_456)
  expect(month.notices).toEqual([
    { code: 'partlyCovered', prm: buildMember(1).prm },
    { code: 'provisional', prm: buildMember(1).prm },
  ])
})

test('every holder of the point must be covered', () => {
  const members = [
    { ...buildMember(1), to: '2026-10-08' },
    { ...buildMember(1), id: 'next', buyer: 'B9', from: '2026-10-08' },
  ]
  const input = buildOctober({ members, cells: [], distributor: [row(1, 'HPB', 3_100, '2026-10-01', '2026-10-08')] })
  expect(computeOctoberBill(input).sources.get(buildMember(1).prm)).toBe('definitive')
})

test('only days of membership need to be covered', () => {
  const members = [{ ...buildMember(1), from: '2026-10-12', to: '2026-10-20' }]
  const input = buildOctober({ members, cells: [], distributor: [row(1, 'HPB', 777, '2026-10-10', '2026-10-20')] })
  expect(computeOctoberBill(input).sources.get(buildMember(1).prm)).toBe('distributor')
  expect(
    computeOctoberBill({ ...input, distributor: [row(1, 'HPB', 777, '2026-10-13', '2026-10-20')] }).units.get('M1'),
  ).toBe(0)
})

test('level 1: in proportion to our energies of the point, the class and the period', () => {
  const input = buildOctober({
    sellers,
    producers: two,
    members: [buildMember(1)],
    cells: [
      buildCells('M1', { 2: 1_000, 25: 3_001 }),
      buildCells('M1', { 2: 2_000 }, { producer: 'P2' }),
      buildCells('M1', { 2: 9_999 }, { producer: 'P2', name: 'HCB' }),
    ],
    distributor: [row(1, 'HPB', 3_000, '2026-10-01', '2026-10-16'), row(1, 'HPB', 505, '2026-10-16')],
  })
  expect(listLines(input).map((line) => [line.prm, line.kind === 'energy' && line.wh])).toEqual([
    [buildMember(1).prm, 1_505],
    [buildMember(1).prm, 2_000],
  ])
  expect(computeOctoberBill(input).notices).toEqual([])
})

test('level 2: the point’s other classes give the split; the line keeps the distributor’s class', () => {
  const input = buildOctober({
    sellers,
    producers: two,
    members: [buildMember(1)],
    cells: [
      buildCells('M1', { 9: 30_000 }, { name: 'HCB' }),
      buildCells('M1', { 20: 42_000 }, { producer: 'P2', name: 'P' }),
    ],
    distributor: [row(1, 'HPB', 1_000)],
    tariffs: [
      {
        from: '2025-01-01',
        to: null,
        rules: [
          { id: 'base', price: 1 },
          { id: 'day', price: 1_313, class: 'HPB' },
        ],
      },
    ],
  })
  expect(listLines(input)).toMatchObject([
    { rule: 'day', wh: 417 },
    { rule: 'day', wh: 583 },
  ])
  expect(computeOctoberBill(input).notices).toMatchObject([
    { code: 'spreadLevel', level: 2, prm: buildMember(1).prm, class: 'HPB', wh: 1_000 },
  ])
})

test('level 3: the energies of all members, by producer, on the days of membership', () => {
  const input = buildOctober({
    sellers,
    producers: two,
    members: [{ ...buildMember(1), from: '2026-10-10' }, buildMember(2)],
    cells: [
      buildCells('M2', { 2: 77_777, 11: 1_000 }),
      buildCells('M2', { 12: 3_000 }, { producer: 'P2', name: 'HCB' }),
    ],
    distributor: [row(1, 'HPB', 2_000)],
  })
  const own = listLines(input).filter((line) => line.member === 'M1')
  expect(own).toMatchObject([{ wh: 500 }, { wh: 1_500 }])
  expect(computeOctoberBill(input).notices).toMatchObject([{ level: 3 }])
})

test('level 4: equal parts for producers and days', () => {
  const members = [
    { ...buildMember(1), to: '2026-10-08' },
    { ...buildMember(1), id: 'next', buyer: 'B9', from: '2026-10-08' },
  ]
  const input = buildOctober({ sellers, producers: two, members, cells: [], distributor: [row(1, 'HPB', 3_100)] })
  expect(Object.fromEntries(computeOctoberBill(input).units)).toEqual({ M1: 700, next: 2_400 })
  expect(listLines(input)).toMatchObject([{ wh: 350 }, { wh: 1_200 }, { wh: 350 }, { wh: 1_200 }])
  expect(computeOctoberBill(input).notices).toMatchObject([{ level: 4 }])
})

test('two holders share the month of a point by our daily energies', () => {
  const members = [
    { ...buildMember(1), to: '2026-10-12' },
    { ...buildMember(1), id: 'next', buyer: 'B9', from: '2026-10-12' },
  ]
  const input = buildOctober({
    members,
    cells: [buildCells('M1', { 3: 1_001 }), buildCells('next', { 12: 2_002 })],
    distributor: [row(1, 'HPB', 9_000)],
  })
  expect(Object.fromEntries(computeOctoberBill(input).units)).toEqual({ M1: 3_000, next: 6_000 })
})

test('what lies outside the membership is not billed, and is reported', () => {
  const members = [{ ...buildMember(1), from: '2026-10-12', to: '2026-10-20' }]
  const input = buildOctober({
    members,
    cells: [buildCells('M1', { 11: 6_001, 12: 60_000, 20: 7 })],
    distributor: [row(5, 'HPB', 12), row(1, 'HPB', 5, '2026-10-01', '2026-10-12')],
  })
  expect(computeOctoberBill(input).units.get('M1')).toBe(1_000)
  expect(computeOctoberBill(input).notices).toEqual([
    { code: 'energyOutsideMembership', member: 'M1', wattMinutes: 6_008 },
    { code: 'rowOutsideMembership', ...row(5, 'HPB', 12) },
    { code: 'partlyCovered', prm: buildMember(1).prm },
  ])
})

test('a row that exceeds the month, or overlaps another of its class, is refused', () => {
  expect(computeIssues(buildOctober({ distributor: [row(1, 'HPB', 5, '2026-09-30')] }))).toMatchObject([
    { code: 'rowBeyondMonth' },
  ])
  expect(computeIssues(buildOctober({ distributor: [row(1, 'HPB', 5), row(1, 'HPB', 6, '2026-10-31')] }))).toEqual([
    { code: 'overlappingVersions', what: 'distributor', id: buildMember(1).prm, from: '2026-10-31' },
  ])
  expect(computeIssues(buildOctober({ distributor: [row(1, 'HPB', 5)], producers: [], cells: [] }))).toMatchObject([
    { code: 'noProducer' },
  ])
})
