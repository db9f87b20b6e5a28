import { setTimeout as pause } from 'node:timers/promises'
import { getErrorCauses, getSystemErrorCode, isDatabaseRefusal } from './db/database-errors.ts'
import { isDatabaseUnavailable } from './db/database-unavailable.ts'

/** A long step is reported regularly, so that a slow start does not look like one that hangs. */
const PROGRESS_INTERVAL_MS = 5000
/** A slow database is waited for; one still unavailable after this ends the start with its error. */
const START_TIMEOUT_MS = 180_000
const RETRY_DELAY_MS = 1000

/** Connection refused or unknown name: more often a wrong address than a slow machine. */
const NO_LISTENER_CODES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT'])
const isNoListenerError = (error: unknown) =>
  getErrorCauses(error).some((one) => NO_LISTENER_CODES.has(getSystemErrorCode(one)))

/** The database may answer later: a step of the start waits for it. */
export const isDatabaseBusy = (error: unknown) => isDatabaseUnavailable(error) || isDatabaseRefusal(error, 'crowded')

export type StartStep = <T>(label: string, work: () => Promise<T>) => Promise<T>
type StepOptions = { say?: (line: string) => void; everyMs?: number; patienceMs?: number; againMs?: number }

/**
 * Runs the steps of a start one after the other, each of which queries the database. With a slow or full database a
 * step is retried, and the terminal says what is waited for; once it has answered, short outages are waited for too.
 */
export function createStartSteps({
  say = console.log,
  everyMs = PROGRESS_INTERVAL_MS,
  patienceMs = START_TIMEOUT_MS,
  againMs = RETRY_DELAY_MS,
}: StepOptions = {}): StartStep {
  let answered = false

  const isWorthAnotherTry = (error: unknown) => isDatabaseBusy(error) && (answered || !isNoListenerError(error))

  return async (label, work) => {
    const from = performance.now()
    const seconds = () => Math.round((performance.now() - from) / 1000)
    const timer = setInterval(() => say(`  … ${label} (${seconds()}\u00a0s)`), everyMs)
    timer.unref()
    try {
      for (;;) {
        try {
          const result = await work()
          answered = true
          return result
        } catch (error) {
          if (!isWorthAnotherTry(error) || performance.now() - from > patienceMs) throw error
          say(`  … ${label}\u00a0: la base de données tarde à répondre, nouvel essai (${seconds()}\u00a0s)`)
          await pause(againMs)
        }
      }
    } finally {
      clearInterval(timer)
    }
  }
}

/** A reason not to start that the operator can fix: its French message is printed without a stack. */
export class StartupError extends Error {
  override name = 'StartupError'
}
