import { fieldError } from '../../http/errors.ts'
import type { ComputeLane, TaskDefinition } from '../task.ts'

const defineTask = <I, O>(
  run: (input: I) => { value: O; moved?: ArrayBuffer[] },
  lane: ComputeLane = 'asked',
): TaskDefinition<I, O> => ({
  load: async () => ({ default: run }),
  lane,
  seconds: 60,
})

function sumSquares(to: number): number {
  let sum = 0
  for (let n = 0; n < to; n++) sum = (sum + n * n) % 1_000_003
  return sum
}

/** Tasks that succeed and fail, for the tests of the pool. */
export const TEST_TASKS = {
  count: defineTask((to: number) => ({ value: sumSquares(to) })),
  filed: defineTask((to: number) => ({ value: sumSquares(to) }), 'filed'),
  double: defineTask((values: Int32Array<ArrayBuffer>) => {
    const twice = values.map((value) => 2 * value)
    return { value: { twice, given: values.length }, moved: [twice.buffer] }
  }),
  forever: defineTask((_: null) => {
    for (;;) sumSquares(1000)
  }),
  fails: defineTask((message: string) => {
    throw new RangeError(message)
  }),
  refuses: defineTask((message: string) => {
    throw fieldError('file', message)
  }),
  exits: defineTask((code: number): { value: null } => process.exit(code)),
  hoards: defineTask((_: null) => {
    const kept: number[][] = []
    for (;;) kept.push(Array.from({ length: 100_000 }, (__, n) => n + 0.5))
  }),
}
