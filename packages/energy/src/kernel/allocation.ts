import type { KeySpan } from '../keys/key-spans.ts'
import type { PointCurve } from './points.ts'

export type AllocationResult = {
  /**
   * Per consumer: 0 where not active, MISSING where it has no measure or the step is excluded. `consumed` may be the
   * array that was given: read only.
   */
  consumed: Int32Array[]
  allocated: Int32Array[]
  /** Per producer: injected, and the part of it that was allocated; MISSING where unknown or excluded. */
  produced: Int32Array[]
  shared: Int32Array[]
  /**
   * Per step: 0 allocated, 1 no consumer is known, 2 no producer is known, 3 no key in force; the lowest that applies.
   */
  excluded: Uint8Array
  /**
   * Per step: 1 where the key gave no coefficient, for the pool or for a producer, so that the default rule applied.
   */
  defaulted: Uint8Array
  /** Counts of steps. A step may count as missing for a consumer and a producer; neither has to exclude it. */
  counts: AllocationCounts
}
export type AllocationCounts = {
  steps: number
  excluded: number
  consumerMissing: number
  producerMissing: number
  noKey: number
  defaulted: number
}
export type AllocationInput = { steps: number; producers: PointCurve[]; consumers: PointCurve[]; keys: KeySpan[] }
