import { type Transferable, Worker } from 'node:worker_threads'
import { AppError } from '../http/errors.ts'
import { createCompanyCounters, createFairQueue } from './fair-queue.ts'
import type { ComputeLane, TaskInput, TaskOutput, TaskRefusal, TaskReply, TaskRequest, TaskTable } from './task.ts'

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
  maxBufferBytes: number
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
    const handleReply = (said: TaskReply) => {
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
      watchBuffers(thread.worker, work.maxBufferBytes, () => cut(new AppError('compute-memory'))),
      listenToThread(thread.worker, name, { heard: handleReply, lost: cut }),
      onAbort(options.signal, cut),
    ]
    running.add(cut)
    try {
      thread.worker.postMessage({ name, input } satisfies TaskRequest, options.moved)
    } catch (error) {
      handleReply({ failed: error instanceof Error ? error : new Error(String(error)) })
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
    const seconds = options.seconds ?? row.seconds
    const maxBufferBytes = Math.max(limits.memoryMb, row.bufferMb ?? 0) * MEBIBYTE
    lanes[row.lane].add({ name, input, options, seconds, maxBufferBytes, resolve, reject })
    return (await promise) as never // typed by the declaration of the task
  }
  const close = async () => {
    await Promise.all(Object.values(lanes).map((lane) => lane.close()))
  }
  return { compute, close }
}

const MEBIBYTE = 1024 * 1024
const BUFFER_CHECK_MS = 50

/**
 * The memory limit of a thread covers the heap of JavaScript alone: buffers, which are what files unpack to, lie
 * outside. The thread answers while it computes, so that a loop that never pauses is seen too.
 */
function watchBuffers(worker: Worker, maxBytes: number, exceed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const check = async () => {
    // A thread that is ending has no statistics: its end is reported by itself.
    const statistics = await worker.getHeapStatistics().catch(() => undefined)
    if (!timer) return
    if (statistics && statistics.external_memory > maxBytes) return exceed()
    timer = setTimeout(check, BUFFER_CHECK_MS)
  }
  timer = setTimeout(check, BUFFER_CHECK_MS)
  return () => {
    clearTimeout(timer)
    timer = undefined
  }
}

/** An idle thread ends after this time. */
const IDLE_TIMEOUT_MS = 30_000

type ComputeThread = { worker: Worker; leave: NodeJS.Timeout | undefined }

/** Threads are started on demand, stopped when idle, and never keep the process alive. */
function createThreadPool(file: URL, { threads, memoryMb }: { threads: number; memoryMb: number }) {
  const idle: ComputeThread[] = []
  const all = new Set<ComputeThread>()

  async function end(thread: ComputeThread): Promise<void> {
    clearTimeout(thread.leave)
    all.delete(thread)
    const at = idle.indexOf(thread)
    if (at >= 0) idle.splice(at, 1)
    await thread.worker.terminate()
  }

  function start(): ComputeThread {
    const worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } })
    const thread: ComputeThread = { worker, leave: undefined }
    all.add(thread)
    // An idle thread that dies is replaced on demand; without a listener the event would end the process.
    worker.on('error', () => {})
    worker.once('exit', () => void end(thread))
    return thread
  }

  return {
    /** A free thread, or a new one if the limit allows. */
    take(): ComputeThread | undefined {
      const thread = idle.pop() ?? (all.size < threads ? start() : undefined)
      if (!thread) return undefined
      clearTimeout(thread.leave)
      thread.worker.ref()
      return thread
    },
    rest(thread: ComputeThread) {
      if (!all.has(thread)) return
      thread.worker.unref()
      thread.leave = setTimeout(() => void end(thread), IDLE_TIMEOUT_MS).unref()
      idle.push(thread)
    },
    end,
    close: async () => {
      await Promise.all([...all].map(end))
    },
  }
}

const createThreadError = (name: string, error: Error & { code?: string }) =>
  error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new AppError('compute-memory')
    : new Error(`the thread of ${name} broke down`, { cause: error })

type ThreadListeners = { heard(said: TaskReply): void; lost(error: Error): void }

/** Calls `heard` with the messages of a thread, `lost` when it ends. */
function listenToThread(worker: Worker, name: string, { heard, lost }: ThreadListeners): () => void {
  const message = (said: TaskReply | object) => {
    // With --watch, Node sends messages of its own.
    if ('value' in said || 'failed' in said || 'refused' in said) heard(said)
  }
  const failThread = (error: Error) => lost(createThreadError(name, error))
  const endThread = (code: number) => lost(new Error(`the thread of ${name} ended early (${code})`))
  worker.on('message', message).on('messageerror', failThread).on('error', failThread).on('exit', endThread)
  return () =>
    void worker.off('message', message).off('messageerror', failThread).off('error', failThread).off('exit', endThread)
}
