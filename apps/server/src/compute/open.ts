import { availableParallelism } from 'node:os'
import { type Compute, type Limits, openCompute } from './pool.ts'
import { TASKS } from './tasks.ts'

export type ComputeTasks = Compute<typeof TASKS>

/** A core is left to the server itself; two at least, so that one company never holds all of them. */
const CORES = Math.max(2, availableParallelism() - 1)

/** The pool of this process; a thread starts when a task first needs it. */
export const openTasks = ({ threads = CORES, memoryMb = 768, waiting = 20 }: Partial<Limits> = {}) =>
  openCompute(TASKS, new URL('./thread.ts', import.meta.url), { threads, memoryMb, waiting })
