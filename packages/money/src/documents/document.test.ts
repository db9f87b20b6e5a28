import { expect, test } from 'vitest'
import { buildDocument, joinDocuments } from './document.ts'
import { computeAllowances, computeVatGroups, type EnergyLine, type FeeLine, getVatRate } from './document-lines.ts'

const shared = {
  prm: '30000000000001',
  member: 'M1',
  from: '2026-10-01',
  to: '2026-11-01',
  liable: false,
  category: 'S',
  rate: 2_000,
} as const
const energy = (net: number): EnergyLine => ({
  ...shared,
  kind: 'energy',
  rule: 'base',
  net,
  wh: net * 81,
  price: 1_237,
  trace: { tariffFrom: '2025-01-01', p0: 1_237, index: null },
  source: 'definitive',
  wattMinutes: `${net * 81 * 60}`,
  units: net * 81,
})
const fee = (net: number, rate: number): FeeLine => ({
  ...shared,
  kind: 'fee',
  rule: 'abo',
  net,
  rate,
  every: 'month',
  amount: net,
  kva: null,
  active: { from: '2025-01-01', to: null },
})
const parties = { seller: 'S1', buyer: 'B1', apart: false }

test('tax is computed on the sum, not summed from the lines', () => {
  // Twice 2 cents would bear 0 each, and 1 together.
  expect(
    computeVatGroups([
      { category: 'S', rate: 2_000, amount: 2 },
      { category: 'S', rate: 2_000, amount: 2 },
    ]),
  ).toEqual([{ category: 'S', rate: 2_000, base: 4, tax: 1 }])
})

test.each([
  ['standard', { category: 'S', rate: 550 }],
  ['exempt', { category: 'E', rate: 0 }],
  ['elsewhere', { category: 'E', rate: 0 }],
  ['outside', { category: 'O', rate: 0 }],
] as const)('VAT mode %s', (mode, vat) => {
  expect(getVatRate(mode, 550)).toEqual(vat)
})

test('two rates, the higher first; allowances lower the base of the energy only', () => {
  const lines = [energy(179), fee(132, 550), fee(386, 2_000)]
  const allowances = computeAllowances(lines, [
    { id: 'loyal', percentBp: 333 },
    { id: 'gesture', amount: 150 },
    { id: 'late', percentBp: 5_000 },
    { id: 'never', amount: 1 },
  ])
  expect(allowances).toMatchObject([
    { id: 'loyal', amount: 6, asked: 6 },
    { id: 'gesture', amount: 150 },
    // Half of 179 is 90, but only 23 are left.
    { id: 'late', amount: 23, asked: 90, left: 23 },
  ])
  expect(buildDocument(parties, lines, allowances)).toMatchObject({
    document: 'invoice',
    vat: [
      { category: 'S', rate: 2_000, base: 386, tax: 77 },
      { category: 'S', rate: 550, base: 132, tax: 7 },
    ],
    totals: { lines: 697, allowances: 179, net: 518, tax: 84, gross: 602 },
  })
})

test('fees get no allowance', () => {
  expect(computeAllowances([fee(386, 2_000)], [{ id: 'loyal', percentBp: 1_000 }])).toEqual([])
})

test('several months on one invoice are taxed on their sum', () => {
  const months = [buildDocument(parties, [energy(2)], []), buildDocument(parties, [energy(2)], [])]
  expect(months.map(({ totals }) => totals.tax)).toEqual([0, 0])
  expect(joinDocuments(months)?.totals).toEqual({ lines: 4, allowances: 0, net: 4, tax: 1, gross: 5 })
  expect(joinDocuments([])).toBeUndefined()
  expect(() => joinDocuments([...months, buildDocument({ ...parties, buyer: 'B2' }, [energy(2)], [])])).toThrow(
    RangeError,
  )
})
