import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { Deps } from '../../../deps.ts'
import { NBSP } from '../../../french.ts'
import { AppError } from '../../../http/errors.ts'
import type { OpenFileInput } from './opening.ts'
import type { CheckedFile, FileBatch, ReaderMessage, ReaderRequest } from './read-task.ts'
import { QuarantineError } from './refusal.ts'

/** Messages received but not read yet, in order. */
function createMessageQueue(port: MessagePort) {
  const received: (ReaderMessage | Error)[] = []
  let wake: (() => void) | undefined
  const push = (said: ReaderMessage | Error) => {
    received.push(said)
    wake?.()
  }
  port.on('message', push)
  return {
    hear: push,
    async next(): Promise<ReaderMessage> {
      while (received.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      const said = received.shift()
      if (!said || said instanceof Error) throw said
      return said
    },
  }
}

type OpenReaderInput = { opening: OpenFileInput; companyId: number; signal: AbortSignal }

/**
 * Decodes a file in a worker thread, in two passes: the first validates it and lists its points, the second returns the
 * content batch by batch, as fast as batches are acknowledged.
 */
export function openReader({ compute }: Pick<Deps, 'compute'>, { opening, companyId, signal }: OpenReaderInput) {
  const { port1: ours, port2: port } = new MessageChannel()
  const queue = createMessageQueue(ours)
  const given = new AbortController()
  const options = { companyId, signal: AbortSignal.any([signal, given.signal]), moved: [port] }
  const task = compute('distributor-files.read', { opening, port }, options).catch((error: unknown) =>
    queue.hear(toReadingError(error)),
  )
  const sendRequest = (request: ReaderRequest) => ours.postMessage(request)
  let ready = false
  const next = async (): Promise<ReaderMessage> => {
    const message = await queue.next()
    ready = 'done' in message || 'refused' in message
    if ('refused' in message) throw new QuarantineError(message.refused.code, message.refused.message)
    return message
  }
  return {
    async check(): Promise<CheckedFile> {
      const message = await next()
      if (!('checked' in message)) throw new Error('the reader of files lost its place')
      return message.checked
    },
    /** Without points, the second pass is skipped. */
    async *read(prms: string[]): AsyncGenerator<FileBatch> {
      sendRequest({ read: prms })
      for (;;) {
        const message = await next()
        if (!('batch' in message)) return
        yield message.batch
        sendRequest({ taken: true })
      }
    },
    /** After this, no thread uses the file any more. */
    async close() {
      if (!ready) given.abort(new Error('the reading was given up'))
      await task
      ours.close()
    },
  }
}

function toReadingError(error: unknown): Error {
  if (error instanceof AppError && error.code === 'compute-memory')
    return new QuarantineError(
      'content',
      `Ce fichier demande trop de mémoire${NBSP}: demandez-le par période ou par groupe de points.`,
    )
  return error instanceof Error ? error : new Error(String(error))
}
