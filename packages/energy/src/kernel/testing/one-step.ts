import type { AllocationKey } from '../../keys/keys.ts'
import { allocateEnergy, type PointCurve } from '../allocate.ts'
import { computePairs } from '../pairs.ts'

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
