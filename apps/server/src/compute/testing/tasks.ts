import { fieldError } from '../../http/errors.ts'
import type { Lane, Row } from '../task.ts'

const row = <I, O>(run: (input: I) => { value: O; moved?: ArrayBuffer[] }, lane: Lane = 'asked'): Row<I, O> => ({
  load: async () => ({ default: run }),
  lane,
  seconds: 60,
})

function count(to: number): number {
  let sum = 0
  for (let n = 0; n < to; n++) sum = (sum + n * n) % 1_000_003
  return sum
}

/** What goes well and what goes wrong, for the tests of the pool. */
export const TEST_TASKS = {
  count: row((to: number) => ({ value: count(to) })),
  filed: row((to: number) => ({ value: count(to) }), 'filed'),
  double: row((values: Int32Array<ArrayBuffer>) => {
    const twice = values.map((value) => 2 * value)
    return { value: { twice, given: values.length }, moved: [twice.buffer] }
  }),
  forever: row((_: null) => {
    for (;;) count(1000)
  }),
  fails: row((message: string) => {
    throw new RangeError(message)
  }),
  refuses: row((message: string) => {
    throw fieldError('file', message)
  }),
  exits: row((code: number): { value: null } => process.exit(code)),
  hoards: row((_: null) => {
    const kept: number[][] = []
    for (;;) kept.push(Array.from({ length: 100_000 }, (__, n) => n + 0.5))
  }),
}
