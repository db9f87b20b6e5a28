import { expect, test } from 'vitest'
import { allocateEnergy } from '../kernel/allocate.ts'
import type { AllocationKey } from './keys.ts'
import { computeOfferedEnergy } from './offered-energy.ts'

const steps = 4
const curve = (id: string, values: number[]) => ({
  id,
  values: Int32Array.from(values),
  active: [[0, steps]] as [number, number][],
})
const producers = [curve('p', [0, 3_011, 9_007, 20_011])]
const consumers = [curve('a', [701, 5_003, 5_003, 5_003]), curve('b', [307, 1_009, 2_011, -1])]
const offers = (key: AllocationKey, id: string) => {
  const found = computeOfferedEnergy(id, { steps, producers, consumers, keys: [{ from: 0, to: steps, key }] })
  return found && [...found]
}

test('fixed shares reserve a part of production, used or not; nothing at night or when unknown', () => {
  const key: AllocationKey = { method: 'static', shares: { a: 250_000, b: 750_000 } }
  expect(offers(key, 'a')).toEqual([0, 752, 2_251, 5_002])
  expect(offers(key, 'b')).toEqual([0, 2_258, 6_755, 0])
})

test('what was used never exceeds what was reserved, except for rounding', () => {
  const keys: AllocationKey[] = [
    { method: 'static', shares: { a: 250_000, b: 750_000 } },
    { method: 'default' },
    { method: 'simple', coefficients: { a: Int32Array.of(-1, 400_000, -1, 100_000), b: Int32Array.of(-1, 0, -1, 0) } },
    { method: 'complete', coefficients: { p: { a: 613_000, b: 87_000 } } },
  ]
  for (const key of keys) {
    const spans = [{ from: 0, to: steps, key }]
    const { allocated } = allocateEnergy({ steps, producers, consumers, keys: spans })
    for (const [n, { id }] of consumers.entries())
      for (const [at, offered] of (offers(key, id) ?? []).entries())
        expect(allocated[n]?.[at] ?? 0, `${key.method} ${id} ${at}`).toBeLessThanOrEqual(offered + 1)
  }
})

test('equal shares divide among known members; ranks reserve nothing', () => {
  expect(offers({ method: 'equal' }, 'a')).toEqual([0, 1_505, 4_503, 20_011])
  expect(offers({ method: 'priority', ranks: { a: 1, b: 2 } }, 'a')).toBeNull()
})

test('without a coefficient the default rule reserves in proportion to the need', () => {
  const key: AllocationKey = { method: 'simple', coefficients: { a: Int32Array.of(-1, -1, 0, 0) } }
  expect(offers(key, 'a')?.[1]).toBe(Math.floor((3_011 * 5_003) / 6_012))
  expect(offers(key, 'a')?.[2]).toBe(0)
})
