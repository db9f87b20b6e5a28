import { availableParallelism } from 'node:os'
import { type Compute, type ComputeLimits, createComputePool } from './pool.ts'
import { COMPUTE_TASKS } from './tasks.ts'

export type ComputeTasks = Compute<typeof COMPUTE_TASKS>

/** A core is left to the server itself; two at least, so that one company never holds all of them. */
const DEFAULT_THREADS = Math.max(2, availableParallelism() - 1)

/** The pool of this process; a thread starts when a task first needs it. */
export const openComputePool = ({
  threads = DEFAULT_THREADS,
  memoryMb = 768,
  waiting = 20,
}: Partial<ComputeLimits> = {}) =>
  createComputePool(COMPUTE_TASKS, new URL('./thread.ts', import.meta.url), { threads, memoryMb, waiting })
