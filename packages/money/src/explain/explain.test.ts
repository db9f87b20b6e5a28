import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRandom, getPropertyRuns, randomMonth } from '../month/testing/random-months.ts'
import { buildCells, buildMember, buildOctober, computeOctoberBill } from '../month/testing/small-month.ts'
import { addRatios, compareRatios, parseRatio, ZERO } from '../numbers/exact-numbers.ts'
import { explainAllowance, explainLine, explainVat } from './explain.ts'
import { listLineCells } from './line-breakdown.ts'

test('explains an indexed line, from watt-minutes to cents', () => {
  const values = [{ from: '2025-01-01', value: '118.91' }]
  const tariffs = [
    {
      from: '2025-01-01',
      to: null,
      rules: [{ id: 'ix', price: 1_150, index: { base: '113.42', cap: 1_200, values } }],
    },
  ]
  const [document] = computeOctoberBill(
    buildOctober({ tariffs, members: [buildMember(1)], cells: [buildCells('M1', { 3: 3_000_026 })] }),
  ).documents
  expect(document?.lines.flatMap(explainLine)).toEqual([
    { formula: 'units', inputs: { wattMinutes: '3000026', resolutionWh: 1 }, exact: '1500013/30', result: 50_000 },
    {
      formula: 'indexedPrice',
      inputs: { p0: 1_150, index: '118.91', base: '113.42', fixedBp: 0, floor: null, cap: 1_200 },
      exact: '6837325/5671',
      result: 1_200,
    },
    { formula: 'energy', inputs: { wh: 50_000, price: 1_200 }, exact: '600', result: 600 },
  ])
  expect(document?.vat.flatMap(explainVat)).toEqual([
    { formula: 'vat', inputs: { base: 600, rate: 2_000 }, exact: '120', result: 120 },
  ])
})

test('explains a fee as the difference of two running totals', () => {
  const fees = [{ id: 'adh', seller: 'S1', amount: 2_400, every: 'year' as const, from: '2026-01-01', to: null }]
  const members = [{ ...buildMember(1), from: '2026-10-12' }]
  const [document] = computeOctoberBill(buildOctober({ fees, members, cells: [] })).documents
  const inputs = { amount: 2_400, kva: null, from: '2026-01-01', to: '2027-01-01', periodDays: 365 }
  expect(document?.lines.flatMap(explainLine)).toEqual([
    { formula: 'feeUpTo', inputs: { ...inputs, days: 20 }, exact: '9600/73', result: 132 },
    { formula: 'feeBefore', inputs: { ...inputs, days: 0 }, exact: '0', result: 0 },
    { formula: 'fee', inputs: { periods: 1 }, exact: '132', result: 132 },
  ])
})

test('explains an allowance limited by what is left of its base', () => {
  const discounts = [
    { id: 'loyal', percentBp: 6_667 },
    { id: 'gesture', amount: 5_000 },
  ]
  const [document] = computeOctoberBill(buildOctober({ discounts })).documents
  expect(document?.allowances.map(explainAllowance)).toEqual([
    [
      { formula: 'percent', inputs: { base: 1_527, percentBp: 6_667 }, exact: '10180509/10000', result: 1_018 },
      { formula: 'capped', inputs: { asked: 1_018, left: 1_527 }, exact: '1018', result: 1_018 },
    ],
    [
      { formula: 'fixed', inputs: { base: 1_527 }, exact: '5000', result: 5_000 },
      { formula: 'capped', inputs: { asked: 5_000, left: 509 }, exact: '509', result: 509 },
    ],
  ])
})

const months = fc.integer({ min: 0 }).map((seed) => randomMonth(createRandom(seed)))

test('the explanation ends with the billed amount', () => {
  fc.assert(
    fc.property(months, (input) => {
      for (const { lines, allowances, vat } of computeOctoberBill(input).documents) {
        for (const line of lines) {
          const steps = explainLine(line)
          expect(steps.at(-1)?.result).toBe(line.net)
          if (line.kind === 'energy') expect(steps[0]?.result).toBe(line.units)
          const totals = steps.filter(({ formula }) => formula === 'feeUpTo' || formula === 'feeBefore')
          if (line.kind === 'fee')
            expect(
              totals.reduce((sum, { formula, result }) => sum + (formula === 'feeUpTo' ? result : -result), 0),
            ).toBe(line.net)
        }
        for (const allowance of allowances) expect(explainAllowance(allowance).at(-1)?.result).toBe(allowance.amount)
        for (const group of vat) expect(explainVat(group).at(-1)?.result).toBe(group.tax)
      }
    }),
    getPropertyRuns(160),
  )
})

test('a line is divided exactly into its days', () => {
  fc.assert(
    fc.property(months, (input) => {
      for (const { seller, lines } of computeOctoberBill(input).documents)
        for (const line of lines) {
          if (line.kind !== 'energy') continue
          const opened = listLineCells(input, seller, line)
          const energy = opened.reduce((sum, { wattMinutes }) => addRatios(sum, parseRatio(wattMinutes)), ZERO)
          expect(compareRatios(energy, parseRatio(line.wattMinutes))).toBe(0)
          expect(opened.every(({ day }) => line.from <= day && day < line.to)).toBe(true)
        }
    }),
    getPropertyRuns(60),
  )
})
