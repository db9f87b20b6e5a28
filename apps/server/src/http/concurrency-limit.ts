import type { IncomingHttpHeaders } from 'node:http'
import { type Endpoint, getTimeoutSeconds } from '@voisol/contract/endpoint'
import type { FastifyReply } from 'fastify'
import { createCompanyCounters, createFairQueue } from '../workers/fair-queue.ts'
import { AppError } from './errors.ts'

/** `running` calls of one company at once, `waiting` behind them, for at most `seconds`. */
type ConcurrencyLimit = { running: number; waiting: number; seconds: number }
type Waiter = { enter(): void }

function callOnce(leave: () => void): () => void {
  let gone = false
  return () => {
    if (gone) return
    gone = true
    leave()
  }
}

/**
 * Limits the concurrent calls of each company: beyond its share calls wait, and beyond that they are refused with a
 * retry delay.
 */
export function createConcurrencyLimiter({ running, waiting, seconds }: ConcurrencyLimit) {
  const runningCalls = createCompanyCounters()
  const queues = createFairQueue<Waiter>()

  /** A released slot goes to the next call of the same company. */
  const createReleaseSlot = (companyId: number) =>
    callOnce(() => {
      const next = queues.next((id) => id === companyId)
      if (next) next.enter()
      else runningCalls.add(companyId, -1)
    })
  const busy = () => new AppError('busy', { retryAfter: seconds })

  const wait = (companyId: number, abandoned: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const give = (error: unknown) => {
        queues.remove(companyId, waiter)
        stop()
        reject(error)
      }
      const abort = () => give(new AppError('busy'))
      const timer = setTimeout(() => give(busy()), seconds * 1000)
      const stop = () => {
        clearTimeout(timer)
        abandoned.removeEventListener('abort', abort)
      }
      const waiter: Waiter = {
        enter() {
          stop()
          resolve()
        },
      }
      abandoned.addEventListener('abort', abort)
      queues.add(companyId, waiter)
    })

  return {
    /** Resolves with the release function when the call may start. */
    async enter(companyId: number, abandoned: AbortSignal): Promise<() => void> {
      if (runningCalls.of(companyId) < running) runningCalls.add(companyId, 1)
      else if (queues.waiting(companyId) < waiting) await wait(companyId, abandoned)
      else throw busy()
      return createReleaseSlot(companyId)
    },
  }
}

/** Calls allowed two minutes, and bodies of this size or of unknown size, are heavy. */
const LONG_CALL_SECONDS = 120
const LARGE_BODY_BYTES = 100_000

function isLargeBody({ 'content-length': length, 'transfer-encoding': pieces }: IncomingHttpHeaders): boolean {
  return pieces !== undefined || Number(length ?? 0) > LARGE_BODY_BYTES
}

/** A call that took this long is expected to again; frequent ones are tracked separately. */
const SLOW_CALL_MS = 1000
const MAX_SLOW_CALLS = 2000

/** Which calls of which company were slow the last time; `took` records the duration of one. */
export function createSlowCallMemory(most = MAX_SLOW_CALLS) {
  const slow = new Set<string>()
  const getCallName = ({ method, path }: Endpoint, companyId: number) => `${companyId} ${method} ${path}`
  return {
    isSlow: (e: Endpoint, companyId: number) => slow.has(getCallName(e, companyId)),
    took(e: Endpoint, companyId: number, milliseconds: number) {
      const name = getCallName(e, companyId)
      slow.delete(name)
      if (milliseconds < SLOW_CALL_MS) return
      slow.add(name)
      // A set keeps the order of insertion: the first was slow the longest ago.
      for (const oldest of slow.values().take(Math.max(0, slow.size - most))) slow.delete(oldest)
    },
  }
}

/**
 * A company uses at most two thirds of the connections, and few for slow calls, so that heavy reads of one leave
 * processor time to the others.
 */
export function createCallLimiter(pool: number, now: () => number = () => performance.now()) {
  const share = Math.floor((pool * 2) / 3)
  const long = createConcurrencyLimiter({ running: 2, waiting: 50, seconds: 30 })
  const usual = createConcurrencyLimiter({ running: Math.max(2, share - 2), waiting: 200, seconds: 30 })
  const heavy = createConcurrencyLimiter({ running: 2, waiting: 200, seconds: 30 })
  const memory = createSlowCallMemory()

  return async (e: Endpoint, headers: IncomingHttpHeaders, companyId: number, abandoned: AbortSignal) => {
    if (getTimeoutSeconds(e) >= LONG_CALL_SECONDS || isLargeBody(headers)) return long.enter(companyId, abandoned)
    const outer = memory.isSlow(e, companyId) ? await heavy.enter(companyId, abandoned) : () => {}
    try {
      const inner = await usual.enter(companyId, abandoned)
      const from = now()
      return callOnce(() => {
        memory.took(e, companyId, now() - from)
        inner()
        outer()
      })
    } catch (error) {
      outer()
      throw error
    }
  }
}

/** Fires when the client has disconnected. */
export function createDisconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => controller.abort())
  return controller.signal
}

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
