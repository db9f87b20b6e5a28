import { fieldError } from '../../http/errors.ts'
import type { ComputeLane, TaskDefinition } from '../task.ts'

const defineTask = <I, O>(
  run: (input: I) => { value: O; moved?: ArrayBuffer[] },
  lane: ComputeLane = 'asked',
  more: Pick<TaskDefinition<I, O>, 'bufferMb'> = {},
): TaskDefinition<I, O> => ({
  load: async () => ({ default: run }),
  lane,
  seconds: 60,
  ...more,
})

function sumSquares(to: number): number {
  let sum = 0
  for (let n = 0; n < to; n++) sum = (sum + n * n) % 1_000_003
  return sum
}

const makeBuffers = (megabytes: number) => Array.from({ length: megabytes }, () => new Uint8Array(1024 * 1024))
function hoardBuffers(megabytes: number): { value: number } {
  const buffers = makeBuffers(megabytes)
  while (buffers.length === megabytes) sumSquares(1000)
  return { value: buffers.length }
}
const CHECKED_MS = 1000
/** Keeps buffers for longer than it takes until the pool looks at them. */
function keepBuffers(megabytes: number) {
  const buffers = makeBuffers(megabytes)
  const from = performance.now()
  while (performance.now() - from < CHECKED_MS) sumSquares(1000)
  return { value: buffers.length }
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
    const buffers: number[][] = []
    for (;;) buffers.push(Array.from({ length: 100_000 }, (__, n) => n + 0.5))
  }),
  hoardsBuffers: defineTask(hoardBuffers),
  hoardsManyBuffers: defineTask(hoardBuffers, 'asked', { bufferMb: 256 }),
  keepsBuffers: defineTask(keepBuffers),
  keepsManyBuffers: defineTask(keepBuffers, 'asked', { bufferMb: 256 }),
}
