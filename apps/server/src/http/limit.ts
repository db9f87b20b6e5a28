import { AppError } from './errors.ts'

export type CallTimeLimit = ReturnType<typeof createCallTimeLimit>

/** The time limit of a call: when it ends, the signal fires with the answer. */
export function createCallTimeLimit(seconds: number) {
  const controller = new AbortController()
  const { signal } = controller
  const timer = setTimeout(() => controller.abort(new AppError('timeout')), seconds * 1000)
  return {
    signal,
    /** From here on nothing is interrupted: what comes next cannot be rolled back. */
    close() {
      signal.throwIfAborted()
      clearTimeout(timer)
    },
    /** A call that exceeds its time is answered, whether it listens to the signal or not. */
    async within<T>(work: () => Promise<T>): Promise<T> {
      const over = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
      // A synchronous exception is handled like a rejection.
      const working = (async () => work())()
      // It ends later, with an error that nobody awaits.
      working.catch(() => {})
      try {
        return await Promise.race([working, over])
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
