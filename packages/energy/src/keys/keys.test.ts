import { describe, expect, test } from 'vitest'
import { MISSING } from '../series/series.ts'
import { buildKeyRanges, findKeyProblems, formatShare } from './keys.ts'

describe('problems of a key', () => {
  const codes = (...args: Parameters<typeof findKeyProblems>) => findKeyProblems(...args).map(({ code }) => code)
  test('a valid key has no problem', () => {
    expect(codes({ method: 'static', shares: { a: 617_003, b: 382_997 } }, ['a', 'b'], ['p'])).toEqual([])
    expect(codes({ method: 'priority', ranks: { a: 1 } }, ['a', 'b'], ['p'])).toEqual([])
    expect(codes({ method: 'complete', coefficients: { p: { a: 1_000_000 } } }, ['a', 'b'], ['p'])).toEqual([])
    const holes = { a: Int32Array.of(MISSING, 7), b: Int32Array.of(MISSING, 0) }
    expect(codes({ method: 'simple', coefficients: holes }, ['a', 'b'], ['p'])).toEqual([])
  })
  test('a total one millionth above one is refused', () => {
    expect(codes({ method: 'static', shares: { a: 617_003, b: 382_998 } }, ['a', 'b'], ['p'])).toEqual(['over'])
    expect(codes({ method: 'complete', coefficients: { p: { a: 1, b: 1_000_000 } } }, ['a', 'b'], ['p'])).toEqual([
      'over',
    ])
  })
  test('a wrong total is shown in French notation', () => {
    const [over] = findKeyProblems({ method: 'static', shares: { a: 617_003, b: 428_124 } }, ['a', 'b'], ['p'])
    expect(over).toEqual({
      code: 'over',
      message: 'La somme des coefficients est de 104,5127\u00A0%, au-delà de 100\u00A0%.',
    })
    const curves = { a: Int32Array.of(500_000, 600_000, MISSING), b: Int32Array.of(500_000, 500_000, 1_000_000) }
    expect(findKeyProblems({ method: 'simple', coefficients: curves }, ['a', 'b'], ['p'])).toEqual([
      {
        code: 'over',
        message: 'La somme des coefficients est de 110\u00A0% au pas 2, au-delà de 100\u00A0%.',
        step: 1,
      },
    ])
    expect(formatShare(1)).toBe('0,0001\u00A0%')
  })
  test('unknown, missing, negative and empty shares are reported', () => {
    expect(codes({ method: 'static', shares: { a: 1, x: 1 } }, ['a', 'b'], [])).toEqual([
      'unknown-point',
      'missing-point',
    ])
    expect(codes({ method: 'static', shares: { a: -1, b: 1 } }, ['a', 'b'], [])).toEqual(['negative'])
    expect(codes({ method: 'static', shares: { a: 0.5, b: 1 } }, ['a', 'b'], [])).toEqual(['negative'])
    expect(codes({ method: 'static', shares: { a: 0 } }, ['a'], [])).toEqual(['empty'])
    expect(codes({ method: 'priority', ranks: { a: 0 } }, ['a'], [])).toEqual(['negative'])
    expect(codes({ method: 'complete', coefficients: { p: { a: 1 } } }, ['a'], ['p', 'q'])).toEqual(['missing-point'])
    expect(codes({ method: 'complete', coefficients: { a: { p: 1 } } }, ['a'], ['p'])).toEqual([
      'unknown-point',
      'missing-point',
      'unknown-point',
    ])
    expect(codes({ method: 'default' }, [], ['p'])).toEqual(['empty'])
  })
})

describe('key periods', () => {
  const key = { method: 'default' } as const
  test('a period is cut where keys change, gaps included, in order', () => {
    const spans = [
      { from: 5, to: 7, key },
      { from: 1, to: 3, key },
      { from: 3, to: 3, key },
      { from: 3, to: 4, key },
    ]
    expect(buildKeyRanges(spans, 9)).toEqual([
      { from: 0, to: 1 },
      { from: 1, to: 3, key },
      { from: 3, to: 4, key },
      { from: 4, to: 5 },
      { from: 5, to: 7, key },
      { from: 7, to: 9 },
    ])
    expect(buildKeyRanges([{ from: 0, to: 9, key }], 9)).toEqual([{ from: 0, to: 9, key }])
  })
  test('an overlap of one step, an end beyond the period and a short curve are refused', () => {
    const overlap = [
      { from: 0, to: 3, key },
      { from: 2, to: 5, key },
    ]
    expect(() => buildKeyRanges(overlap, 5)).toThrow('two keys are in force at step 2')
    expect(() => buildKeyRanges([{ from: 0, to: 6, key }], 5)).toThrow('a key goes on to step 6 of 5')
    const curved = (length: number) => ({ method: 'simple', coefficients: { a: new Int32Array(length) } }) as const
    expect(buildKeyRanges([{ from: 2, to: 5, key: curved(3) }], 5)).toHaveLength(2)
    expect(() => buildKeyRanges([{ from: 2, to: 5, key: curved(2) }], 5)).toThrow('2 steps instead of 3')
  })
})
