import type { Key } from '@voisol/contract/keys'
import { expect, test } from 'vitest'
import {
  classifyChange,
  computeConsumerChanges,
  computeCoverageRange,
  describeInequality,
  findBaseline,
  findBestAlternative,
  hasBattery,
  type MethodResultRow,
  sumStoredEnergy,
  toComparedMethods,
} from './method-comparison.ts'

const result = (
  method: MethodResultRow['method'],
  got: [number, number],
  keyId: string | null = null,
): MethodResultRow => ({
  method,
  keyId,
  label: method,
  shares: [],
  produced: 10_000 * 60,
  allocated: (got[0] + got[1]) * 60,
  surplus: (10_000 - got[0] - got[1]) * 60,
  consumed: 12_000 * 60,
  selfConsumption: 0.5,
  selfProduction: 0.4,
  inequality: 0.1,
  consumers: [
    { pointId: 'a', label: 'A', consumed: 8000 * 60, allocated: got[0] * 60 },
    { pointId: 'b', label: 'B', consumed: 4000 * 60, allocated: got[1] * 60 },
  ],
})
const version = (number: number, change: Partial<Key>): Key => ({
  id: `v${number}`,
  operationId: 'o',
  number,
  method: 'static',
  label: '',
  status: 'adopted',
  startsOn: '2026-01-01',
  endsOn: null,
  inForce: false,
  decimals: 1,
  locked: false,
  sum: null,
  coefficientDays: null,
  createdAt: '2026-01-01T00:00:00Z',
  version: 1,
  ...change,
})

const results = [result('static', [3000, 1000]), result('default', [4000, 2000]), result('simple', [1, 1], 'v2')]

test('today is the version in force, else its method, else the default rule', () => {
  const of = (versions: Key[]) => findBaseline(toComparedMethods(results, versions), versions)?.id
  expect(of([version(2, { method: 'simple', inForce: true })])).toBe('v2')
  expect(of([version(1, { inForce: true })])).toBe('static')
  expect(of([])).toBe('default')
})

test('who gains and who loses, the largest change first, under the names people know', () => {
  const [fixed, usual] = toComparedMethods(results, [])
  if (!fixed || !usual) throw new Error('two methods were tried')
  const lines = computeConsumerChanges(fixed, usual, new Map([['b', 'École']]))
  expect(lines.map(({ label, change }) => [label, change])).toEqual([
    ['A', 1000],
    ['École', 1000],
  ])
  expect([classifyChange(1000), classifyChange(-1000), classifyChange(50)]).toEqual(['gains', 'loses', 'same'])
  expect(findBestAlternative(toComparedMethods(results, []), fixed)?.id).toBe('default')
})

test('the spread in words, and the least and best covered', () => {
  expect([0, 0.1, 0.2, 0.5, null].map(describeInequality)).toEqual([
    'Presque égale',
    'Assez égale',
    'Inégale',
    'Très inégale',
    '–',
  ])
  expect(computeCoverageRange(result('static', [2000, 4000]))).toEqual({ least: 0.25, best: 1 })
})

test('a battery is none of those who are covered, who gain or who lose, and what it stores is told apart', () => {
  const battery = { pointId: 'c', label: 'C', storage: true, consumed: 1_100 * 60, allocated: 1_090 * 60 }
  const withBattery = (got: [number, number]) => {
    const plain = result('static', got)
    return { ...plain, consumers: [battery, ...plain.consumers] }
  }
  expect(computeCoverageRange(withBattery([2000, 1000]))).toEqual({ least: 0.25, best: 0.25 })
  const [before, after] = toComparedMethods([withBattery([2000, 1000]), withBattery([2300, 700])], [])
  if (!before || !after) throw new Error('two methods were tried')
  expect(sumStoredEnergy(before)).toBe(1_090)
  expect([hasBattery(before), hasBattery(result('static', [1, 1]))]).toEqual([true, false])
  expect(computeConsumerChanges(before, after, new Map()).map(({ label, storage }) => `${label} ${storage}`)).toEqual([
    'A false',
    'B false',
    'C true',
  ])
})
