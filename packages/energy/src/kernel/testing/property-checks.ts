import type { AllocationKey } from '../../keys/keys.ts'
import { MISSING } from '../../series/series.ts'
import { type AllocationInput, type AllocationResult, allocateEnergy, type PointCurve } from '../allocate.ts'
import { computePairs } from '../pairs.ts'
import { allocateStep } from './reference-rules.ts'

/** A property runs many thousands of cases: the machine may be busy. */
export const PROPERTY_TIMEOUT_MS = 240_000
/** A quarter of the cases; all of them with TEST_ALL. */
export const getPropertyRuns = (whole: number) => ({ numRuns: process.env.TEST_ALL ? whole : Math.ceil(whole / 4) })

export const isActiveAt = ({ active }: PointCurve, at: number) => active.some(([from, to]) => at >= from && at < to)
export const valueAt = (point: PointCurve, at: number) => (isActiveAt(point, at) ? (point.values[at] ?? 0) : 0)
/** A consumer without a figure is suspended: it takes no part in the step. */
export const takesPartAt = (point: PointCurve, at: number) =>
  isActiveAt(point, at) && (point.values[at] ?? MISSING) >= 0
export const getColumn = (curves: Int32Array[], at: number) => curves.map((curve) => curve[at] ?? 0)
export const getKeyOfInput = ({ keys }: AllocationInput): AllocationKey => keys[0]?.key ?? { method: 'default' }
export const keepKnown = (values: number[]) => values.filter((value) => value !== MISSING)
export const sumNumbers = (values: number[]) => values.reduce((a, b) => a + b, 0)

/** Used for millions of checks, where a matcher would take too long. */
export function assertTrue(is: boolean, what: string): void {
  if (!is) throw new Error(what)
}
export const assertEqual = (actual: number | undefined, expected: number | undefined, what: string): void =>
  assertTrue(actual === expected, `${what}: ${actual} instead of ${expected}`)

/** Runs a check for each step that was allocated. */
export function checkEachAllocatedStep(
  input: AllocationInput,
  check: (at: number, result: AllocationResult) => void,
): void {
  const result = allocateEnergy(input)
  for (let at = 0; at < input.steps; at++) if (result.excluded[at] === 0) check(at, result)
}

/** A consumer that takes no part has no coefficient, except where the share of the absent goes to the others. */
function getPresentKey(input: AllocationInput, at: number): AllocationKey {
  const key = getKeyOfInput(input)
  const here = new Set(input.consumers.filter((point) => takesPartAt(point, at)).map(({ id }) => id))
  const only = <T>(all: Record<string, T>) => Object.fromEntries(Object.entries(all).filter(([id]) => here.has(id)))
  if (key.method === 'static') return { ...key, shares: only(key.shares) }
  if (key.method === 'simple') return { ...key, coefficients: only(key.coefficients) }
  if (key.method !== 'complete') return key
  return {
    ...key,
    coefficients: Object.fromEntries(Object.entries(key.coefficients).map(([id, row]) => [id, only(row)])),
  }
}

/** Whether a step that was shared had no coefficient of a key of curves, for the pool or for a known producer. */
export function isDefaultedStep(input: AllocationInput, at: number): boolean {
  const key = getKeyOfInput(input)
  const here = input.consumers.filter((point) => takesPartAt(point, at))
  if (here.length === 0) return false
  const says = (row: Record<string, Int32Array | number> = {}) =>
    here.some(({ id }) => {
      const value = row[id]
      return typeof value === 'number' || (value?.[at] ?? MISSING) >= 0
    })
  if (key.method === 'simple') return !says(key.coefficients)
  if (key.method !== 'complete') return false
  return input.producers.some((point) => takesPartAt(point, at) && !says(key.coefficients[point.id]))
}

/** What the rules give at one step. With equal shares, an absent consumer has no weight. */
function computeExpected(input: AllocationInput, at: number): number[] {
  const here = input.consumers.filter((point) => getKeyOfInput(input).method !== 'equal' || takesPartAt(point, at))
  const produced = input.producers.map((point) => BigInt(Math.max(0, valueAt(point, at))))
  const consumed = here.map((point) => BigInt(Math.max(0, valueAt(point, at))))
  const parts = allocateStep({ produced, consumed, key: getPresentKey(input, at), at })
  const byId = new Map(here.map(({ id }, order) => [id, Number(parts[order] ?? 0n)]))
  return input.consumers.map((point) => (valueAt(point, at) === MISSING ? MISSING : (byId.get(point.id) ?? 0)))
}

export const assertFollowsRules = (input: AllocationInput): void =>
  checkEachAllocatedStep(input, (at, { allocated }) => {
    const expected = computeExpected(input, at)
    for (const [i, a] of getColumn(allocated, at).entries()) assertEqual(a, expected[i], `consumer ${i} at step ${at}`)
  })

export const buildPoints = (prefix: string, values: number[][]): PointCurve[] =>
  values.map((own, i) => ({ id: `${prefix}${i + 1}`, values: Int32Array.from(own), active: [[0, own.length]] }))

/** One step; energies in thousandths of a Wh where the expected figures have decimals. */
export function runOneStep(key: AllocationKey, produced: number[], consumed: number[]) {
  const producers = buildPoints(
    'p',
    produced.map((value) => [value]),
  )
  const consumers = buildPoints(
    'c',
    consumed.map((value) => [value]),
  )
  const keys = [{ from: 0, to: 1, key }]
  const allocation = allocateEnergy({ steps: 1, producers, consumers, keys })
  const first = (curves: Int32Array[]) => curves.map((curve) => curve[0] ?? 0)
  const [a, shared] = [first(allocation.allocated), first(allocation.shared)]
  const surplus = produced.map((own, j) => own - (shared[j] ?? 0))
  const matrix = [...computePairs({ allocation, keys, producers, consumers }, new Uint16Array(1), 1)]
  return { a, shared, surplus, matrix, allocation }
}
