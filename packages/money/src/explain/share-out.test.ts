import { expect, test } from 'vitest'
import { ratio } from '../numbers/ratio.ts'
import { shareOut } from './open-line.ts'

const weights = (...figures: number[]) => figures.map((figure) => ratio(BigInt(figure), 7n))

test('parts of a figure sum to it, by largest remainder', () => {
  expect(shareOut(10, weights(1, 1, 1))).toEqual([4, 3, 3])
  expect(shareOut(1003, weights(617, 0, 211, 89))).toEqual([675, 0, 231, 97])
})

test('what is taken back is taken back in the same parts', () => {
  expect(shareOut(-1003, weights(617, 0, 211, 89))).toEqual([-675, 0, -231, -97])
})

test('where nothing is known of the parts, there are none', () => {
  expect(shareOut(0, weights(0, 0))).toEqual([0, 0])
  expect(shareOut(0, [])).toEqual([])
})
