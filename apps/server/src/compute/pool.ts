import type { Transferable } from 'node:worker_threads'
import { AppError } from '../http/errors.ts'
import type { ComputeLane, TaskInput, TaskOutput, TaskRefusal, TaskReply, TaskRequest, TaskTable } from './task.ts'
import { type ComputeThread, createThreadPool, listenToThread } from './threads.ts'
import { createCompanyCounters, createFairQueue } from './turns.ts'

/** `threads` in each lane; `waiting`: tasks of one company in each lane beyond which it must retry later. */
export type ComputeLimits = { threads: number; memoryMb: number; waiting: number }
export type ComputeOptions = {
  companyId: number
  /** Aborts the task when its result is no longer needed. */
  signal?: AbortSignal | undefined
  /** Transferred instead of copied. */
  moved?: Transferable[]
  /** Never refused for a full queue: for tasks that others depend on. */
  patient?: boolean
  /** A shorter time limit than that of the task. */
  seconds?: number
}
export type Compute<T extends TaskTable> = <N extends keyof T & string>(
  name: N,
  input: TaskInput<T[N]>,
  options: ComputeOptions,
) => Promise<TaskOutput<T[N]>>

type PendingTask = TaskRequest & {
  options: ComputeOptions
  seconds: number
  resolve(value: unknown): void
  reject(error: unknown): void
}
const toErrorOptions = ({ message, issues }: TaskRefusal) => ({ message, ...(issues && { issues }) })
const RETRY_SECONDS = 10
/** The pool was closed: the task may be retried in the next process. */
export class ComputeStopped extends Error {}
const createStoppedError = () => new ComputeStopped('the process stops')

/** Calls `act` when the signal fires, until the returned function is called. */
function onAbort(signal: AbortSignal | undefined, act: (reason: unknown) => void): () => void {
  const abort = () => act(signal?.reason)
  signal?.addEventListener('abort', abort)
  return () => signal?.removeEventListener('abort', abort)
}

function createLane(file: URL, limits: ComputeLimits) {
  const queue = createFairQueue<{ work: PendingTask; called: () => void }>()
  const threads = createThreadPool(file, limits)
  const running = new Set<(error: unknown) => void>()
  /** One thread always stays free for other companies. */
  const maxPerCompany = Math.max(1, limits.threads - 1)
  const runningByCompany = createCompanyCounters()
  let closed = false

  function start(thread: ComputeThread, { name, input, options, ...work }: PendingTask): void {
    const heard = (said: TaskReply) => {
      clear()
      runningByCompany.add(options.companyId, -1)
      threads.rest(thread)
      if ('value' in said) work.resolve(said.value)
      else work.reject('failed' in said ? said.failed : new AppError(said.refused.code, toErrorOptions(said.refused)))
      advance()
    }
    /** The thread is stopped before the caller is told, so that it has no further effect. */
    const cut = (error: unknown) => {
      clear()
      void threads.end(thread).then(() => {
        runningByCompany.add(options.companyId, -1)
        work.reject(error)
        advance()
      })
    }
    const clear = () => {
      for (const stop of stops) stop()
      running.delete(cut)
    }
    runningByCompany.add(options.companyId, 1)
    const timer = setTimeout(() => cut(new AppError('compute-time')), work.seconds * 1000)
    const stops = [
      () => clearTimeout(timer),
      listenToThread(thread.worker, name, { heard, lost: cut }),
      onAbort(options.signal, cut),
    ]
    running.add(cut)
    try {
      thread.worker.postMessage({ name, input } satisfies TaskRequest, options.moved)
    } catch (error) {
      heard({ failed: error instanceof Error ? error : new Error(String(error)) })
    }
  }

  function advance(): void {
    const mayStart = (companyId: number) => runningByCompany.of(companyId) < maxPerCompany
    while (queue.any(mayStart)) {
      const thread = threads.take()
      const next = thread && queue.next(mayStart)
      if (!next) return
      next.called()
      start(thread, next.work)
    }
  }

  function add(work: PendingTask): void {
    const { companyId, signal, patient } = work.options
    if (closed) throw createStoppedError()
    if (!patient && queue.waiting(companyId) >= limits.waiting)
      throw new AppError('compute-busy', { retryAfter: RETRY_SECONDS })
    const item = { work, called: () => {} }
    item.called = onAbort(signal, (reason) => {
      queue.remove(companyId, item)
      work.reject(reason)
    })
    queue.add(companyId, item)
    advance()
  }

  const close = async () => {
    closed = true
    for (const { work } of queue.clear()) work.reject(createStoppedError())
    for (const cut of running) cut(createStoppedError())
    await threads.close()
  }
  return { add, close }
}

/** The single way to run heavy computations: in a few threads, within limits, with companies taking turns. */
export function createComputePool<T extends TaskTable>(table: T, file: URL, limits: ComputeLimits) {
  const lanes: Record<ComputeLane, ReturnType<typeof createLane>> = {
    asked: createLane(file, limits),
    filed: createLane(file, limits),
  }
  const compute: Compute<T> = async (name, input, options) => {
    options.signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const row = table[name]
    if (!row) throw new Error(`there is no task ${name}`)
    lanes[row.lane].add({ name, input, options, seconds: options.seconds ?? row.seconds, resolve, reject })
    return (await promise) as never // typed by the declaration of the task
  }
  const close = async () => {
    await Promise.all(Object.values(lanes).map((lane) => lane.close()))
  }
  return { compute, close }
}
