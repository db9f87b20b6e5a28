import fc from 'fast-check'
import { KEY_METHODS, type KeyMethod } from '../../keys/keys.ts'
import type { AllocationInput, PointCurve } from '../allocate.ts'
import { arbitraryOperation, type CaseSizes } from './cases.ts'

const flags = fc.array(fc.boolean(), { minLength: 1, maxLength: 7 })
const flagBatteries = (points: PointCurve[], is: boolean[]) =>
  points.map((point, k) => (is[k % is.length] ? { ...point, storage: true } : point))

/** Some of the points, consumers and producers, are batteries: one that charges is not always one that releases. */
export const arbitraryOperationWithBatteries = (
  methods: readonly KeyMethod[] = KEY_METHODS,
  clean = false,
  sizes: CaseSizes = {},
) =>
  fc.tuple(arbitraryOperation(methods, clean, sizes), flags, flags).map(
    ([input, charging, releasing]): AllocationInput => ({
      ...input,
      consumers: flagBatteries(input.consumers, charging),
      producers: flagBatteries(input.producers, releasing),
    }),
  )

/** The same points, none of them a battery. */
export const removeStorageFlags = (input: AllocationInput): AllocationInput => {
  const plain = ({ storage: _, ...point }: PointCurve): PointCurve => point
  return { ...input, consumers: input.consumers.map(plain), producers: input.producers.map(plain) }
}
