import { expect, test } from 'vitest'
import type { MonthInput } from '../month/input.ts'
import { recomputeMonth } from '../month/month.ts'
import { buildCells, buildMember, buildOctober, computeOctoberBill } from '../month/testing/small-month.ts'
import { buildCancellation, rectifyMonth, rectifyMonths } from './rectify.ts'

const three = (wattMinutes: readonly number[], changes: Partial<MonthInput> = {}) =>
  buildOctober({
    members: [buildMember(1), buildMember(2), buildMember(3)],
    cells: wattMinutes.map((value, at) => buildCells(`M${at + 1}`, { 6: value })),
    ...changes,
  })
const START = [7_407_411, 7_407_431, 7_407_421]

function corrected(before: MonthInput, after: MonthInput, rules: Partial<Parameters<typeof rectifyMonth>[0]> = {}) {
  const first = computeOctoberBill(before)
  const outcome = recomputeMonth({ input: before, units: first.units }, after)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues))
  const issued = first.documents
  return {
    ...rectifyMonth({ issued, clean: outcome.month.documents, thresholdCents: 50, ...rules }),
    first,
    second: outcome.month,
  }
}

test('a neighbour keeps its units even though the total of the operation would move them', () => {
  // 123 456,30, 123 456,45 and 123 456,40 Wh, then 90 123,60 for the first.
  const before = [7_407_378, 7_407_387, 7_407_384]
  const after = [5_407_416, 7_407_387, 7_407_384]
  const { first, second, corrections } = corrected(three(before), three(after))
  expect(Object.fromEntries(first.units)).toEqual({ M1: 123_456, M2: 123_457, M3: 123_456 })
  expect(Object.fromEntries(second.units)).toEqual({ M1: 90_124, M2: 123_457, M3: 123_456 })
  // Recomputed without the previous units, the month would have taken a unit from a neighbour.
  expect(Object.fromEntries(computeOctoberBill(three(after)).units)).not.toEqual(Object.fromEntries(second.units))
  expect(corrections).toMatchObject([
    {
      buyer: 'B1',
      document: 'creditNote',
      typeCode: 381,
      lines: [
        { role: 'cancel', wh: 123_456, net: 1_527 },
        { role: 'replace', wh: -90_124, net: -1_115 },
      ],
      vat: [{ category: 'S', rate: 2_000, base: 412, tax: 82 }],
      totals: { net: 412, tax: 82, gross: 494 },
      delta: { net: -412, tax: -82, gross: -494 },
    },
  ])
})

test('an increase is a complementary invoice, with the signs of an invoice', () => {
  const { corrections } = corrected(three(START), three([8_407_411, 7_407_431, 7_407_421]))
  expect(corrections).toMatchObject([
    {
      document: 'complement',
      typeCode: 380,
      lines: [
        { role: 'cancel', wh: -123_457, net: -1_527 },
        { role: 'replace', wh: 140_124, net: 1_733 },
      ],
      totals: { net: 206, tax: 42, gross: 248 },
    },
  ])
})

test('VAT is the difference of two taxes, not the tax of a difference', () => {
  const { corrections } = corrected(three(START), three([8_407_411, 7_407_431, 7_407_421]))
  // 1 733 bears 347 and 1 527 bore 305: 42, where a fifth of 206 is 41.
  expect(corrections).toMatchObject([{ vat: [{ base: 206, tax: 42 }] }])
})

test('a small difference is withheld, or sent when flushed', () => {
  const after = three([7_407_411, 7_353_431, 7_407_421])
  const held = corrected(three(START), after)
  expect(held.corrections).toMatchObject([{ buyer: 'B2', document: 'held', delta: { net: -11, tax: -2, gross: -13 } }])
  expect(held.standing).toEqual(held.first.documents)
  expect(held.uncorrected).toMatchObject([{ buyer: 'B2', wh: -900 }])
  const documents = (rules: Partial<Parameters<typeof rectifyMonth>[0]>) =>
    corrected(three(START), after, rules).corrections.map(({ document }) => document)
  expect(documents({ flush: true })).toEqual(['creditNote'])
  expect(documents({ thresholdCents: 13 })).toEqual(['creditNote'])
})

test('what several months withhold for a seller and buyer is sent once it reaches the threshold', () => {
  const clean = [
    computeOctoberBill(three([7_407_411, 7_353_431, 7_407_421])).documents,
    computeOctoberBill(three([7_407_411, 7_250_431, 7_407_421])).documents,
  ]
  const issued = computeOctoberBill(three(START)).documents
  const documents = (count: number, thresholdCents: number) =>
    rectifyMonths(
      clean.slice(0, count).map((each) => ({ issued, clean: each })),
      { thresholdCents },
    ).map(({ corrections }) => corrections.map(({ buyer, document, delta }) => [buyer, document, delta.gross]))
  expect(documents(1, 50)).toEqual([[['B2', 'held', -13]]])
  expect(documents(2, 51)).toEqual([[['B2', 'creditNote', -13]], [['B2', 'creditNote', -38]]])
  expect(documents(2, 52)).toEqual([[['B2', 'held', -13]], [['B2', 'held', -38]]])
})

test('an ended year sends what changed in it, and what else is withheld for the same pair', () => {
  const issued = computeOctoberBill(three(START)).documents
  const small = { issued, clean: computeOctoberBill(three([7_407_411, 7_353_431, 7_407_421])).documents }
  const told = (...months: Parameters<typeof rectifyMonths>[0][number][]) =>
    rectifyMonths(months, { thresholdCents: 50 }).map(({ corrections }) => corrections.map(({ document }) => document))
  const isOver = () => true
  expect(told({ issued, clean: issued, isOver }, small)).toEqual([[], ['held']])
  expect(told({ ...small, isOver }, small)).toEqual([['creditNote'], ['creditNote']])
})

test('nothing too old is claimed from a private person; credits are always sent', () => {
  const up = three([9_407_411, 7_407_431, 4_407_421])
  const { corrections } = corrected(three(START), up, { isBarred: () => true })
  expect(corrections.map(({ buyer, document }) => [buyer, document])).toEqual([
    ['B1', 'barred'],
    ['B3', 'creditNote'],
  ])
})

test('a new member is billed, a removed one is credited in full', () => {
  const before = three([7_407_411, 7_407_431, 0])
  const after = three([0, 7_407_431, 7_407_421])
  const { corrections, standing, second } = corrected(before, after)
  expect(corrections).toMatchObject([
    { buyer: 'B1', document: 'creditNote', lines: [{ role: 'cancel' }], totals: { gross: 1_832 } },
    { buyer: 'B3', document: 'complement', lines: [{ role: 'replace' }], totals: { gross: 1_832 } },
  ])
  expect(standing).toEqual(second.documents)
})

test('a change at 0 € reissues the statement, and nothing else', () => {
  const tariffs = [{ from: '2025-01-01', to: null, rules: [{ id: 'social', price: 0 }] }]
  const { corrections, reissued } = corrected(three(START, { tariffs }), three([60, 7_407_431, 7_407_421], { tariffs }))
  expect(corrections).toEqual([])
  expect(reissued.map(({ buyer }) => buyer)).toEqual(['B1'])
})

test('a change in watt-hours that is worth no cent is reported, not corrected', () => {
  const { corrections, reissued, uncorrected } = corrected(three(START), three([7_407_471, 7_407_431, 7_407_421]))
  expect([corrections, reissued]).toEqual([[], []])
  expect(uncorrected).toMatchObject([{ buyer: 'B1', wh: 1 }])
})

test('allowances are corrected by difference', () => {
  const discounts = [{ id: 'loyal', percentBp: 1_000 }]
  const { corrections } = corrected(
    three(START, { discounts }),
    three([5_407_393, 7_407_431, 7_407_421], { discounts }),
  )
  expect(corrections).toMatchObject([
    {
      allowances: [{ id: 'loyal', amount: 41, category: 'S', rate: 2_000 }],
      totals: { net: 371, tax: 74, gross: 445 },
    },
  ])
})

test('another source with the same daily energy changes nothing', () => {
  const before = three([6_000, 12_000, 18_000])
  const rows = [1, 2].map((at) => ({
    prm: buildMember(at).prm,
    from: '2026-10-01',
    to: '2026-11-01',
    class: 'HPB',
    wh: at * 100,
  }))
  const { corrections, second } = corrected(before, { ...before, distributor: rows })
  expect(corrections).toEqual([])
  expect([...second.sources.values()]).toEqual(['distributor', 'distributor', 'definitive'])
})

test('another quantity over the same daily energy is a change', () => {
  const quantity = (wh: number) => [{ prm: buildMember(1).prm, from: '2026-10-01', to: '2026-11-01', class: 'HPB', wh }]
  const before = three(START, { distributor: quantity(100_003) })
  const { second, corrections } = corrected(before, { ...before, distributor: quantity(120_007) })
  expect(second.units.get('M1')).toBe(120_007)
  expect(corrections).toMatchObject([
    { buyer: 'B1', document: 'complement', totals: { net: 247, tax: 50, gross: 297 } },
  ])
})

test('one correction may have two rates', () => {
  const fees = (amount: number) => [
    { id: 'abo', seller: 'S1', amount, every: 'month' as const, from: '2025-01-01', to: null, rate: 550 },
  ]
  const after = three([8_407_411, 7_407_431, 7_407_421], { fees: fees(511) })
  const [first, ...others] = corrected(three(START, { fees: fees(307) }), after).corrections
  expect(first).toMatchObject({
    document: 'complement',
    vat: [
      { category: 'S', rate: 2_000, base: 206, tax: 42 },
      { category: 'S', rate: 550, base: 204, tax: 11 },
    ],
    totals: { net: 410, tax: 53, gross: 463 },
  })
  expect(others).toMatchObject([{ vat: [{ rate: 550, base: 204 }] }, { vat: [{ rate: 550, base: 204 }] }])
})

test('changes that cancel out are withheld, then reported with the rest', () => {
  const fees = (high: number, low: number) =>
    [
      { id: 'a', amount: high, rate: 2_000 },
      { id: 'b', amount: low, rate: 550 },
    ].map((fee) => ({ ...fee, seller: 'S1', every: 'month' as const, from: '2025-01-01', to: null }))
  const before = three([0, 0, 0], { members: [buildMember(1)], cells: [], fees: fees(1_000, 1_200) })
  const after = { ...before, fees: fees(1_211, 960) }
  expect(corrected(before, after).corrections).toMatchObject([
    { document: 'held', delta: { net: -29, tax: 29, gross: 0 } },
  ])
  expect(corrected(before, after, { flush: true }).corrections).toMatchObject([
    { document: 'complement', totals: { gross: 0 } },
  ])
})

test('a cancellation mirrors everything currently issued', () => {
  const [document] = computeOctoberBill(three(START)).documents
  const credit = document && buildCancellation(document)
  expect(credit).toMatchObject({ document: 'creditNote', totals: { net: 1_527, tax: 305, gross: 1_832 } })
  expect(credit?.lines).toMatchObject([{ role: 'cancel', wh: 123_457, net: 1_527 }])
})
