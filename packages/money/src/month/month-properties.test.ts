import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addRatios, compareRatios, parseRatio, roundRatio, toRatio, ZERO } from '../numbers/exact-numbers.ts'
import type { BilledMonth } from './month.ts'
import { createRandom, getPropertyRuns, randomMonth } from './testing/random-months.ts'
import { computeExactLines, isNear } from './testing/reference.ts'
import { computeOctoberBill } from './testing/small-month.ts'

const months = fc.integer({ min: 0 }).map((seed) => randomMonth(createRandom(seed)))
const sum = (figures: readonly number[]) => figures.reduce((total, figure) => total + figure, 0)
const sumEnergy = ({ documents }: BilledMonth) =>
  documents.flatMap(({ seller, lines }) => lines.flatMap((line) => (line.kind === 'energy' ? [{ seller, line }] : [])))

test('lines sum to the member, members to the operation, which is rounded once', () => {
  fc.assert(
    fc.property(months, (input) => {
      const month = computeOctoberBill(input)
      const lines = sumEnergy(month)
      for (const [id, units] of month.units)
        expect(sum(lines.filter(({ line }) => line.member === id).map(({ line }) => line.units))).toBe(units)
      expect(sum([...month.units.values()])).toBe(month.totalUnits)
      const exact = [...computeExactLines(input).values()].reduce(addRatios, ZERO)
      const unit = toRatio(exact.num, exact.den * 60n * BigInt(input.resolutionWh))
      expect(BigInt(month.totalUnits)).toBe(roundRatio(unit))
    }),
    getPropertyRuns(160),
  )
})

test('each line has the exact energy of the rules, within a unit', () => {
  fc.assert(
    fc.property(months, (input) => {
      const expected = computeExactLines(input)
      const seen = new Set<string>()
      for (const { seller, line } of sumEnergy(computeOctoberBill(input))) {
        const name = [line.member, seller, line.from, line.rule, line.liable].join(' ')
        const exact = expected.get(name) ?? ZERO
        expect(compareRatios(exact, parseRatio(line.wattMinutes)), name).toBe(0)
        expect(isNear(line.units, toRatio(exact.num, exact.den * 60n * BigInt(input.resolutionWh)))).toBe(true)
        seen.add(name)
      }
      // A line that is not printed has zero units.
      for (const [name, { num, den }] of expected)
        if (!seen.has(name)) expect(isNear(0, toRatio(num, den * 60n * BigInt(input.resolutionWh))), name).toBe(true)
    }),
    getPropertyRuns(160),
  )
})

test('documents are consistent: bases by rate, category O alone, allowances below the energy', () => {
  fc.assert(
    fc.property(months, (input) => {
      for (const { lines, allowances, vat, totals, document } of computeOctoberBill(input).documents) {
        expect(lines.length).toBeGreaterThan(0)
        expect(totals.net).toBe(sum(lines.map(({ net }) => net)) - sum(allowances.map(({ amount }) => amount)))
        expect(totals.gross).toBe(totals.net + sum(vat.map(({ tax }) => tax)))
        expect(vat.some(({ category }) => category === 'O') && vat.length > 1).toBe(false)
        expect(new Set(vat.map(({ category, rate }) => `${category}${rate}`)).size).toBe(vat.length)
        expect(totals.allowances).toBeLessThanOrEqual(
          sum(lines.filter(({ kind }) => kind === 'energy').map(({ net }) => net)),
        )
        expect(document === 'statement').toBe(lines.every(({ net }) => net === 0))
      }
    }),
    getPropertyRuns(160),
  )
})

test('the order of the input changes nothing', () => {
  fc.assert(
    fc.property(months, (input) => {
      const turned = {
        ...input,
        members: input.members.toReversed(),
        cells: input.cells.toReversed(),
        distributor: input.distributor.toReversed(),
        producers: input.producers.toReversed(),
        tariffs: input.tariffs.toReversed(),
        fees: input.fees.toReversed(),
      }
      expect(computeOctoberBill(turned).documents).toEqual(computeOctoberBill(input).documents)
    }),
    getPropertyRuns(120),
  )
})
