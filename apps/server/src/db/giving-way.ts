import { getErrorCauses, getSystemErrorCode } from './causes.ts'

const DEADLOCK_CODE = '40P01'
const MAX_ATTEMPTS = 6

export const isDeadlock = (error: unknown) =>
  getErrorCauses(error).some((one) => getSystemErrorCode(one) === DEADLOCK_CODE)

/**
 * Retries a transaction that was the victim of a deadlock. `work` opens its own transaction: on several machines a
 * victim cannot go back to a savepoint.
 */
export async function retryOnDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work()
    } catch (error) {
      if (!isDeadlock(error) || tries === MAX_ATTEMPTS) throw error
    }
}
