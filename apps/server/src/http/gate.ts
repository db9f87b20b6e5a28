import type { IncomingHttpHeaders } from 'node:http'
import { type Endpoint, timeoutOf } from '@voisol/contract/endpoint'
import type { FastifyReply } from 'fastify'
import { createCounts, createTurns } from '../compute/turns.ts'
import { AppError } from './errors.ts'

/** `running` calls of one company at once, `waiting` behind them, for `seconds` at most. */
export type Gate = { running: number; waiting: number; seconds: number }
type Waiter = { enter(): void }

function onlyOnce(leave: () => void): () => void {
  let gone = false
  return () => {
    if (gone) return
    gone = true
    leave()
  }
}

/** One company at a time may be impatient: beyond its share its calls wait in line, and beyond that it is asked to come back. */
export function openGate({ running, waiting, seconds }: Gate) {
  const inside = createCounts()
  const lines = createTurns<Waiter>()

  /** Whoever leaves lets the next of its company in. */
  const leaver = (companyId: number) =>
    onlyOnce(() => {
      const next = lines.next((id) => id === companyId)
      if (next) next.enter()
      else inside.add(companyId, -1)
    })
  const busy = () => new AppError('busy', { retryAfter: seconds })

  const wait = (companyId: number, abandoned: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const give = (error: unknown) => {
        lines.remove(companyId, waiter)
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
      lines.add(companyId, waiter)
    })

  return {
    /** Resolves when the call may go on, with what it says when it is over. */
    async enter(companyId: number, abandoned: AbortSignal): Promise<() => void> {
      if (inside.of(companyId) < running) inside.add(companyId, 1)
      else if (lines.waiting(companyId) < waiting) await wait(companyId, abandoned)
      else throw busy()
      return leaver(companyId)
    },
  }
}
export type OpenGate = ReturnType<typeof openGate>

/** What is given two minutes computes or carries much, and so does a body of this size, or of one that is not said. */
const LONG_SECONDS = 120
const LARGE_BYTES = 100_000

function isLarge({ 'content-length': length, 'transfer-encoding': pieces }: IncomingHttpHeaders): boolean {
  return pieces !== undefined || Number(length ?? 0) > LARGE_BYTES
}

/** What took a company so long takes it as long again, and what is asked so often is told apart. */
const SLOW_MS = 1000
const TOLD_APART = 2000

/** Which calls of which company were slow when they were last made; `took` says how long one was at work. */
export function createMemory(most = TOLD_APART) {
  const slow = new Set<string>()
  const nameOf = ({ method, path }: Endpoint, companyId: number) => `${companyId} ${method} ${path}`
  return {
    isSlow: (e: Endpoint, companyId: number) => slow.has(nameOf(e, companyId)),
    took(e: Endpoint, companyId: number, milliseconds: number) {
      const name = nameOf(e, companyId)
      slow.delete(name)
      if (milliseconds < SLOW_MS) return
      slow.add(name)
      // A set keeps the order in which its values came: the first was slow the longest ago.
      for (const oldest of slow.values().take(Math.max(0, slow.size - most))) slow.delete(oldest)
    },
  }
}

/**
 * Together a company holds two thirds of the connections at most, and of what proved slow a few: heavy reads of one leave
 * processor to the others.
 */
export function openGates(pool: number, now: () => number = () => performance.now()) {
  const share = Math.floor((pool * 2) / 3)
  const long = openGate({ running: 2, waiting: 50, seconds: 30 })
  const usual = openGate({ running: Math.max(2, share - 2), waiting: 200, seconds: 30 })
  const heavy = openGate({ running: 2, waiting: 200, seconds: 30 })
  const memory = createMemory()

  return async (e: Endpoint, headers: IncomingHttpHeaders, companyId: number, abandoned: AbortSignal) => {
    if (timeoutOf(e) >= LONG_SECONDS || isLarge(headers)) return long.enter(companyId, abandoned)
    const outer = memory.isSlow(e, companyId) ? await heavy.enter(companyId, abandoned) : () => {}
    try {
      const inner = await usual.enter(companyId, abandoned)
      const from = now()
      return onlyOnce(() => {
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

/** Fires when whoever asked has gone. */
export function abandonment(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => controller.abort())
  return controller.signal
}
