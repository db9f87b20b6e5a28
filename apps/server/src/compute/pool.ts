import type { Transferable } from 'node:worker_threads'
import { AppError } from '../http/errors.ts'
import type { Asked, InputOf, Lane, OutputOf, Refusal, Said, Table } from './task.ts'
import { createThreads, listen, type Thread } from './threads.ts'
import { createCounts, createTurns } from './turns.ts'

/** `threads` in each lane; `waiting` tasks of one company in each lane, beyond which it is asked to come back. */
export type Limits = { threads: number; memoryMb: number; waiting: number }
export type Options = {
  companyId: number
  /** Fires when the result is no longer wanted. */
  signal?: AbortSignal | undefined
  /** Handed over instead of being copied. */
  moved?: Transferable[]
  /** Never told to come back: for what others wait for together. */
  patient?: boolean
  /** Less than the task may take, where the caller knows. */
  seconds?: number
}
export type Compute<T extends Table> = <N extends keyof T & string>(
  name: N,
  input: InputOf<T[N]>,
  options: Options,
) => Promise<OutputOf<T[N]>>

type Work = Asked & {
  options: Options
  seconds: number
  resolve(value: unknown): void
  reject(error: unknown): void
}
const refusalOf = ({ message, issues }: Refusal) => ({ message, ...(issues && { issues }) })
const RETRY_SECONDS = 10
/** Asked again of the process that follows, it may be done. */
export class ComputeStopped extends Error {}
const stopped = () => new ComputeStopped('the process stops')

/** Calls `act` when the signal fires, until the caller has heard enough. */
function onAbort(signal: AbortSignal | undefined, act: (reason: unknown) => void): () => void {
  const abort = () => act(signal?.reason)
  signal?.addEventListener('abort', abort)
  return () => signal?.removeEventListener('abort', abort)
}

function openLane(file: URL, limits: Limits) {
  const turns = createTurns<{ work: Work; called: () => void }>()
  const threads = createThreads(file, limits)
  const running = new Set<(error: unknown) => void>()
  /** Of several threads one stays free for the others. */
  const most = Math.max(1, limits.threads - 1)
  const held = createCounts()
  let closed = false

  function start(thread: Thread, { name, input, options, ...work }: Work): void {
    const heard = (said: Said) => {
      clear()
      held.add(options.companyId, -1)
      threads.rest(thread)
      if ('value' in said) work.resolve(said.value)
      else work.reject('failed' in said ? said.failed : new AppError(said.refused.code, refusalOf(said.refused)))
      advance()
    }
    /** The thread is gone before anybody is told: it touches nothing any more. */
    const cut = (error: unknown) => {
      clear()
      void threads.end(thread).then(() => {
        held.add(options.companyId, -1)
        work.reject(error)
        advance()
      })
    }
    const clear = () => {
      for (const stop of stops) stop()
      running.delete(cut)
    }
    held.add(options.companyId, 1)
    const timer = setTimeout(() => cut(new AppError('compute-time')), work.seconds * 1000)
    const stops = [
      () => clearTimeout(timer),
      listen(thread.worker, name, { heard, lost: cut }),
      onAbort(options.signal, cut),
    ]
    running.add(cut)
    try {
      thread.worker.postMessage({ name, input } satisfies Asked, options.moved)
    } catch (error) {
      heard({ failed: error instanceof Error ? error : new Error(String(error)) })
    }
  }

  function advance(): void {
    const mayStart = (companyId: number) => held.of(companyId) < most
    while (turns.any(mayStart)) {
      const thread = threads.take()
      const next = thread && turns.next(mayStart)
      if (!next) return
      next.called()
      start(thread, next.work)
    }
  }

  function add(work: Work): void {
    const { companyId, signal, patient } = work.options
    if (closed) throw stopped()
    if (!patient && turns.waiting(companyId) >= limits.waiting)
      throw new AppError('compute-busy', { retryAfter: RETRY_SECONDS })
    const item = { work, called: () => {} }
    item.called = onAbort(signal, (reason) => {
      turns.remove(companyId, item)
      work.reject(reason)
    })
    turns.add(companyId, item)
    advance()
  }

  const close = async () => {
    closed = true
    for (const { work } of turns.clear()) work.reject(stopped())
    for (const cut of running) cut(stopped())
    await threads.close()
  }
  return { add, close }
}

/** The one way to compute something heavy: in one of a few threads, within limits, each company in its turn. */
export function openCompute<T extends Table>(table: T, file: URL, limits: Limits) {
  const lanes: Record<Lane, ReturnType<typeof openLane>> = {
    asked: openLane(file, limits),
    filed: openLane(file, limits),
  }
  const compute: Compute<T> = async (name, input, options) => {
    options.signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const row = table[name]
    if (!row) throw new Error(`there is no task ${name}`)
    lanes[row.lane].add({ name, input, options, seconds: options.seconds ?? row.seconds, resolve, reject })
    return (await promise) as never // the task declares what it gives
  }
  const close = async () => {
    await Promise.all(Object.values(lanes).map((lane) => lane.close()))
  }
  return { compute, close }
}
