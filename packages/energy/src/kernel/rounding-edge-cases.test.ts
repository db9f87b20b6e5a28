import { describe, expect, test } from 'vitest'
import type { AllocationKey } from '../keys/keys.ts'
import { runOneStep } from './testing/property-checks.ts'

/** Without a common divisor, a wrong floor, a wrong ceiling or one unit too many changes the result. */
describe('values without a common divisor', () => {
  const ODD = [811, 257, 307]
  const odd = { c1: 499_400, c2: 300_300, c3: 200_200 }

  test.each<[string, AllocationKey, number[], number]>([
    ['default', { method: 'default' }, [590, 187, 224], 0],
    // 499,899 · 300,600 · 200,400 of 1 000: the unit left goes to the first, and the second is cut at its need.
    ['static', { method: 'static', shares: odd }, [500, 257, 200], 44],
    ['priority', { method: 'priority', ranks: { c1: 2, c2: 1 } }, [744, 257, 0], 0],
    ['equal', { method: 'equal' }, [437, 257, 307], 0],
    // 1 000 to share: 257 to the second, 743 to the others as 530,38 and 212,62.
    ['redistributed', { method: 'redistributed', shares: odd }, [530, 257, 213], 1],
  ])('%s, 1 001 Wh', (_, key, expected, surplus) => {
    expect(runOneStep(key, [1001], ODD)).toMatchObject({ a: expected, surplus: [surplus] })
  })

  test('small values, where one unit more in a sum changes who gets the last', () => {
    // 7,42 · 9,44 · 10,79 · 1,35, and 4,43 · 2,05 · 1,02 · 7,5.
    expect(runOneStep({ method: 'default' }, [29], [11, 14, 16, 2]).a).toEqual([7, 10, 11, 1])
    expect(runOneStep({ method: 'default' }, [15], [13, 6, 3, 22]).a).toEqual([4, 2, 1, 8])
  })

  test('equal shares give the units left to the first consumers that are not full', () => {
    expect(runOneStep({ method: 'equal' }, [1001], [811, 419, 401]).a).toEqual([334, 334, 333])
    expect(runOneStep({ method: 'equal' }, [1001], [7, 811, 419, 401]).a).toEqual([7, 332, 331, 331])
    expect(runOneStep({ method: 'equal' }, [1002], [7, 811, 331, 811]).a).toEqual([7, 332, 331, 332])
  })

  test('a full member with nearly all the shares leaves the rest to the other, at any level', () => {
    const key: AllocationKey = { method: 'redistributed', shares: { c1: 999_999, c2: 1 } }
    expect(runOneStep(key, [492_600_007], [7, 500_000_000])).toMatchObject({ a: [7, 492_600_000], surplus: [0] })
    // With a level of 3, a need of 3 is full and a need of 4 is not.
    const thirds: AllocationKey = { method: 'redistributed', shares: { c1: 333_333, c2: 333_333, c3: 333_334 } }
    expect(runOneStep(thirds, [11], [3, 4, 9]).a).toEqual([3, 4, 4])
  })

  test('fixed shares allocate no unit beyond their sum', () => {
    // 499,899 · 300,600 · 200,400: together 1 000,9, of which 1 000.
    expect(runOneStep({ method: 'static', shares: odd }, [1001], [811, 419, 307])).toMatchObject({
      a: [500, 300, 200],
      surplus: [1],
    })
    const coefficients = { c1: Int32Array.of(499_400), c2: Int32Array.of(300_300), c3: Int32Array.of(200_200) }
    expect(runOneStep({ method: 'simple', coefficients }, [1001], [811, 419, 307]).a).toEqual([500, 300, 200])
    const row = { c1: 499_400, c2: 300_300, c3: 200_200 }
    expect(runOneStep({ method: 'complete', coefficients: { p1: row } }, [1001], [811, 419, 307]).a).toEqual([
      500, 300, 200,
    ])
  })

  test('what was shared is attributed to producers by injection, the first of equals served first', () => {
    expect(runOneStep({ method: 'default' }, [701, 503, 1], ODD)).toMatchObject({
      a: [711, 225, 269],
      surplus: [0, 0, 0],
    })
    expect(runOneStep({ method: 'default' }, [1009, 757, 1], ODD)).toMatchObject({ a: ODD, shared: [785, 589, 1] })
    expect(runOneStep({ method: 'default' }, [701, 701, 701], [400, 400, 201])).toMatchObject({
      shared: [334, 334, 333],
    })
  })

  test('a complete key cuts each producer back in proportion to what it gave', () => {
    const key: AllocationKey = {
      method: 'complete',
      coefficients: { p1: { c1: 333_333, c2: 666_667 }, p2: { c1: 700_001, c3: 299_998 } },
    }
    const result = runOneStep(key, [701, 503], [401, 503, 97])
    expect(result.matrix).toEqual([160, 467, 0, 241, 0, 97])
    expect(result).toMatchObject({ a: [401, 467, 97], shared: [627, 338] })
    // 234 and 352 were given to the first: one more than its need.
    expect(runOneStep(key, [701, 503], [585, 503, 97]).a).toEqual([585, 467, 97])
    // More than the vector routines handle: 33 333 302 and 352 were given to the first, again one more than its need.
    const many = runOneStep(key, [100_000_007, 503], [33_333_653, 70_000_000, 97])
    expect(many.a).toEqual([33_333_653, 66_666_705, 97])
  })
})
