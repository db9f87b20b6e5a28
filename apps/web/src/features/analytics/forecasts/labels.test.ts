import { expect, test } from 'vitest'
import { formatSignedPercent, isCoverageOff, isWorseThanPersistence } from './labels.ts'

test('red: worse than persistence, or a band that does not hold what it says', () => {
  expect([-0.01, 0, 0.3, null].map((skill) => isWorseThanPersistence({ skill }))).toEqual([true, false, false, false])
  expect([0.69, 0.7, 0.8, 0.9, 0.91, null].map((coverage) => isCoverageOff({ coverage }))).toEqual([
    true,
    false,
    false,
    false,
    true,
    false,
  ])
})

test('a bias has its sign', () => {
  expect([0.012, -0.034].map(formatSignedPercent)).toEqual(['+1,2\u00a0%', '−3,4\u00a0%'])
})
