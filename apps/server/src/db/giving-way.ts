import { causesOf, codeOf } from './causes.ts'

const DEADLOCK = '40P01'
const TRIES = 6

export const isDeadlock = (error: unknown) => causesOf(error).some((one) => codeOf(one) === DEADLOCK)

/**
 * Of two that wait for one another, the one that is told so lets go of all it took, and begins anew. `work` opens its own
 * transaction: on several machines, one that was told so may not go back to a savepoint.
 */
export async function givingWay<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work()
    } catch (error) {
      if (!isDeadlock(error) || tries === TRIES) throw error
    }
}
