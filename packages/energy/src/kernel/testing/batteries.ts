import fc from 'fast-check'
import { METHODS, type Method } from '../../keys/keys.ts'
import type { AllocationInput, PointCurve } from '../allocate.ts'
import { operation, type Sizes } from './cases.ts'

const flags = fc.array(fc.boolean(), { minLength: 1, maxLength: 7 })
const flagged = (points: PointCurve[], is: boolean[]) =>
  points.map((point, k) => (is[k % is.length] ? { ...point, storage: true } : point))

/** Some of the points, on either side, are batteries: one that charges need not be one that releases. */
export const withBatteries = (methods: readonly Method[] = METHODS, clean = false, sizes: Sizes = {}) =>
  fc.tuple(operation(methods, clean, sizes), flags, flags).map(
    ([input, charging, releasing]): AllocationInput => ({
      ...input,
      consumers: flagged(input.consumers, charging),
      producers: flagged(input.producers, releasing),
    }),
  )

/** The same without a word of batteries. */
export const unflagged = (input: AllocationInput): AllocationInput => {
  const plain = ({ storage: _, ...point }: PointCurve): PointCurve => point
  return { ...input, consumers: input.consumers.map(plain), producers: input.producers.map(plain) }
}
