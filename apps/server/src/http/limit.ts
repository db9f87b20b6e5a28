import { AppError } from './errors.ts'

export type CallTimeLimit = ReturnType<typeof createCallTimeLimit>

/** The time a call has: when it is over the signal fires with the answer. */
export function createCallTimeLimit(seconds: number) {
  const controller = new AbortController()
  const { signal } = controller
  const timer = setTimeout(() => controller.abort(new AppError('timeout')), seconds * 1000)
  return {
    signal,
    /** From here on nothing interrupts: what comes next cannot be taken back. */
    close() {
      signal.throwIfAborted()
      clearTimeout(timer)
    },
    /** Whoever outlasts its time is answered for, whether it listens to the signal or not. */
    async within<T>(work: () => Promise<T>): Promise<T> {
      const over = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
      // What refuses before it promises anything is answered for like the rest.
      const working = (async () => work())()
      // It ends later, with an error that nobody waits for.
      working.catch(() => {})
      try {
        return await Promise.race([working, over])
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
