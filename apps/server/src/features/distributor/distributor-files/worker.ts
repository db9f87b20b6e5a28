import { Worker } from 'node:worker_threads'
import { NBSP } from '../../../french.ts'
import type { Opening } from './opening.ts'
import { Quarantined } from './refusal.ts'
import type { Asked, Batch, Checked, Said } from './worker-thread.ts'

const HEAP_MB = 768
const REST_MS = 30_000

/** Small files come by dozens: the one that has just ended takes the next. */
let resting: { worker: Worker; timer: NodeJS.Timeout; forget: () => void } | undefined

function startWorker(): Worker {
  if (!resting)
    return new Worker(new URL('./worker-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    })
  const { worker, timer, forget } = resting
  resting = undefined
  clearTimeout(timer)
  worker.off('error', forget)
  worker.ref()
  return worker
}

async function endWorker(worker: Worker, ready: boolean): Promise<void> {
  if (!ready || resting) {
    await worker.terminate()
    return
  }
  const forget = () => {
    if (resting?.worker === worker) resting = undefined
    void worker.terminate()
  }
  worker.on('error', forget)
  worker.unref()
  resting = { worker, forget, timer: setTimeout(forget, REST_MS).unref() }
}

function listen(worker: Worker, signal: AbortSignal) {
  const heard: (Said | Error)[] = []
  let wake: (() => void) | undefined
  const hear = (said: Said | Error) => {
    heard.push(said)
    wake?.()
  }
  const message = (said: Said | object) => {
    // Under --watch Node sends messages of its own.
    if ('checked' in said || 'batch' in said || 'done' in said || 'refused' in said) hear(said)
  }
  const failed = (error: Error & { code?: string }) =>
    hear(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error)
  const ended = () => hear(new Error('the reader of files ended early'))
  const cut = () => hear(new Error('the reading was cut short'))
  worker.on('message', message).on('error', failed).on('exit', ended)
  signal.addEventListener('abort', cut)
  if (signal.aborted) cut()
  return {
    async next(): Promise<Said> {
      while (heard.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      const said = heard.shift()
      if (!said || said instanceof Error) throw said
      return said
    },
    stop() {
      worker.off('message', message).off('error', failed).off('exit', ended)
      signal.removeEventListener('abort', cut)
    },
  }
}

/**
 * Reads a deposit beside the server, which goes on answering. It is read twice: once to know that it is sound and whose
 * it is, once to give what it holds, batch by batch, as fast as they are taken.
 */
export function openReader(opening: Opening, signal: AbortSignal) {
  const worker = startWorker()
  const ears = listen(worker, signal)
  const ask = (asked: Asked) => worker.postMessage(asked)
  let ready = false
  const next = async (): Promise<Said> => {
    const said = await ears.next()
    ready = 'done' in said || 'refused' in said
    if ('refused' in said) throw new Quarantined(said.refused.code, said.refused.message)
    return said
  }
  ask({ open: opening })
  return {
    async check(): Promise<Checked> {
      const said = await next()
      if (!('checked' in said)) throw new Error('the reader of files lost its place')
      return said.checked
    },
    /** Without any point the file is left as it is. */
    async *read(prms: string[]): AsyncGenerator<Batch> {
      ask({ read: prms })
      for (;;) {
        const said = await next()
        if (!('batch' in said)) return
        yield said.batch
        ask({ taken: true })
      }
    },
    async close() {
      ears.stop()
      await endWorker(worker, ready)
    },
  }
}

const tooLarge = () =>
  new Quarantined(
    'content',
    `Ce fichier demande trop de mémoire${NBSP}: demandez-le par période ou par groupe de points.`,
  )
