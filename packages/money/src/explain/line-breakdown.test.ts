import { expect, test } from 'vitest'
import { toRatio } from '../numbers/exact-numbers.ts'
import { apportionByExactWeight } from './line-breakdown.ts'

const weights = (...figures: number[]) => figures.map((figure) => toRatio(BigInt(figure), 7n))

test('the parts of a figure sum to it, by largest remainder', () => {
  expect(apportionByExactWeight(10, weights(1, 1, 1))).toEqual([4, 3, 3])
  expect(apportionByExactWeight(1003, weights(617, 0, 211, 89))).toEqual([675, 0, 231, 97])
})

test('a reversed figure is divided into the same parts, negative', () => {
  expect(apportionByExactWeight(-1003, weights(617, 0, 211, 89))).toEqual([-675, 0, -231, -97])
})

test('without weights there are no parts', () => {
  expect(apportionByExactWeight(0, weights(0, 0))).toEqual([0, 0])
  expect(apportionByExactWeight(0, [])).toEqual([])
})
