import { Worker } from 'node:worker_threads'
import { type Choices, FileRefused, type ParsedFile } from './types.ts'
import type { Answer, Job } from './worker-thread.ts'

const LIMIT_MS = 60_000
const HEAP_MB = 512

/** Reads a file beside the server, which goes on answering; a file that takes too long or too much memory is refused. */
export function parseInWorker(
  name: string,
  bytes: Uint8Array,
  choices: Choices = {},
  limitMs = LIMIT_MS,
): Promise<ParsedFile> {
  // A copy of its own: a small Buffer is a window on memory that other requests share.
  const job: Job = { name, bytes: new Uint8Array(bytes), choices }
  const worker = new Worker(new URL('./worker-thread.ts', import.meta.url), {
    workerData: job,
    transferList: [job.bytes.buffer],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  return new Promise<ParsedFile>((resolve, reject) => {
    const timer = setTimeout(
      () =>
        reject(new FileRefused('Ce fichier est trop long à lire. Partagez-le par période ou par groupe de points.')),
      limitMs,
    )
    worker.on('message', (answer: Answer | object) => {
      // Under --watch Node sends messages of its own.
      if (!('parsed' in answer || 'refused' in answer)) return
      clearTimeout(timer)
      if ('parsed' in answer) resolve(answer.parsed)
      else reject(new FileRefused(answer.refused))
    })
    worker.once('error', (error: Error & { code?: string }) => {
      clearTimeout(timer)
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error)
    })
  }).finally(() => worker.terminate())
}

const tooLarge = () =>
  new FileRefused('Ce fichier demande trop de mémoire. Partagez-le par période ou par groupe de points.')
