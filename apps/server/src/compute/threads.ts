import { Worker } from 'node:worker_threads'
import { AppError } from '../http/errors.ts'
import type { TaskReply } from './task.ts'

/** An idle thread ends after this time. */
const IDLE_TIMEOUT_MS = 30_000

export type ComputeThread = { worker: Worker; leave: NodeJS.Timeout | undefined }
export type ThreadPool = ReturnType<typeof createThreadPool>

/** Threads are started on demand, stopped when idle, and never keep the process alive. */
export function createThreadPool(file: URL, { threads, memoryMb }: { threads: number; memoryMb: number }) {
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
export function listenToThread(worker: Worker, name: string, { heard, lost }: ThreadListeners): () => void {
  const message = (said: TaskReply | object) => {
    // With --watch, Node sends messages of its own.
    if ('value' in said || 'failed' in said || 'refused' in said) heard(said)
  }
  const failed = (error: Error) => lost(createThreadError(name, error))
  const ended = (code: number) => lost(new Error(`the thread of ${name} ended early (${code})`))
  worker.on('message', message).on('messageerror', failed).on('error', failed).on('exit', ended)
  return () => void worker.off('message', message).off('messageerror', failed).off('error', failed).off('exit', ended)
}
