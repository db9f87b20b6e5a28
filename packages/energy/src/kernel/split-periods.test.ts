import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayStart } from '../calendar/calendar.ts'
import { KEY_METHODS } from '../keys/keys.ts'
import { MISSING } from '../series/series.ts'
import { type AllocationInput, type AllocationResult, allocateEnergy, type KeySpan } from './allocate.ts'
import { sliceCurves, sliceSpans } from './allocation-input.ts'
import { assertTrue, getPropertyRuns, PROPERTY_TIMEOUT_MS } from './testing/property-checks.ts'
import { arbitraryOperation } from './testing/random-operations.ts'

/** Steps are independent, so that threads may each take a range of them, wherever it is cut. */
const allocateRange = ({ producers, consumers, keys }: AllocationInput, from: number, to: number): AllocationResult =>
  allocateEnergy({
    steps: to - from,
    producers: sliceCurves(producers, from, to),
    consumers: sliceCurves(consumers, from, to),
    keys: sliceSpans(keys, from, to),
  })

const CURVES = ['consumed', 'allocated', 'produced', 'shared'] as const
const COUNTS = ['steps', 'excluded', 'consumerMissing', 'producerMissing', 'noKey', 'defaulted'] as const

function isWhole(input: AllocationInput, cuts: number[]): void {
  const whole = allocateEnergy(input)
  const bounds = [0, ...new Set(cuts.toSorted((a, b) => a - b)), input.steps]
  const sums = new Map<string, number>()
  for (const [n, from] of bounds.slice(0, -1).entries()) {
    const to = bounds[n + 1] ?? from
    const part = allocateRange(input, from, to)
    for (const curve of CURVES)
      for (const [i, values] of whole[curve].entries())
        assertTrue(String(part[curve][i]) === String(values.subarray(from, to)), `${curve} ${i} of [${from}, ${to})`)
    for (const flag of ['excluded', 'defaulted'] as const)
      assertTrue(String(part[flag]) === String(whole[flag].subarray(from, to)), `${flag} of [${from}, ${to})`)
    for (const count of COUNTS) sums.set(count, (sums.get(count) ?? 0) + part.counts[count])
  }
  for (const count of COUNTS) assertTrue(sums.get(count) === whole.counts[count], count)
}

test.each(KEY_METHODS)(
  '%s: parts of a period, however uneven, give the same as the whole',
  { timeout: PROPERTY_TIMEOUT_MS },
  (method) => {
    const cut = arbitraryOperation([method], false, { consumers: 12, steps: 70 }).chain((input) =>
      fc.tuple(fc.constant(input), fc.array(fc.nat(input.steps), { maxLength: 4 })),
    )
    fc.assert(
      fc.property(cut, ([input, cuts]) => isWhole(input, cuts)),
      getPropertyRuns(200),
    )
  },
)

test('the months of a year give the same as the whole, with clock changes, gaps and a new key', () => {
  const at = (day: string) => (dayStart(day) - dayStart('2025-01-01')) / 15
  const steps = at('2026-01-01')
  const months = Array.from({ length: 11 }, (_, n) => at(`2025-${String(n + 2).padStart(2, '0')}-01`))
  // March is an hour shorter, October an hour longer.
  expect([at('2025-04-01') - at('2025-03-01'), at('2025-11-01') - at('2025-10-01')]).toEqual([31 * 96 - 4, 31 * 96 + 4])
  const curve = (id: string, most: number, hole: number) => ({
    id,
    active: [[0, steps]] as [number, number][],
    values: Int32Array.from({ length: steps }, (_, n) =>
      n % 5003 === hole ? MISSING : Math.abs(Math.round(most * Math.sin(n / 30.6 + hole))),
    ),
  })
  const shares = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`c${i}`, 40_000 + i * 500]))
  const change = at('2025-07-14')
  const keys: KeySpan[] = [
    { from: 0, to: change, key: { method: 'default' } },
    { from: change, to: steps, key: { method: 'redistributed', shares } },
  ]
  const input = {
    steps,
    keys,
    producers: [curve('p0', 9_000, 1), curve('p1', 4_001, 2)],
    consumers: Array.from({ length: 20 }, (_, i) => curve(`c${i}`, 700 + 31 * i, 3 + i)),
  }
  isWhole(input, months)
})

test('accepts curves in memory shared between threads', () => {
  const ALL: [string, number[]][] = [
    ['p0', [900, 0, 41]],
    ['c0', [800, 7, 20]],
    ['c1', [300, MISSING, 31]],
  ]
  const divide = (room: (bytes: number) => ArrayBufferLike) => {
    const [producer, ...consumers] = ALL.map(([id, figures]) => {
      const values = new Int32Array(room(figures.length * 4))
      values.set(figures)
      return { id, values, active: [[0, 3]] as [number, number][] }
    })
    const keys: KeySpan[] = [{ from: 0, to: 3, key: { method: 'default' } }]
    return allocateEnergy({ steps: 3, keys, producers: producer ? [producer] : [], consumers }).allocated.map(String)
  }
  expect(divide((bytes) => new SharedArrayBuffer(bytes))).toEqual(divide((bytes) => new ArrayBuffer(bytes)))
})
