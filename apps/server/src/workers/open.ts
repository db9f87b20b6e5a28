import { availableParallelism } from 'node:os'
import { type Compute, type ComputeLimits, createComputePool } from './pool.ts'
import { COMPUTE_TASKS } from './tasks.ts'

export type ComputeTasks = Compute<typeof COMPUTE_TASKS>

/** One core is left to the server; at least two threads, so that one company never holds all of them. */
const DEFAULT_THREADS = Math.max(2, availableParallelism() - 1)

/** The pool of this process; threads start on demand. */
export const openComputePool = ({
  threads = DEFAULT_THREADS,
  memoryMb = 768,
  waiting = 20,
}: Partial<ComputeLimits> = {}) =>
  createComputePool(COMPUTE_TASKS, new URL('./thread.ts', import.meta.url), { threads, memoryMb, waiting })
