import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { Deps } from '../../../deps.ts'
import { NBSP } from '../../../french.ts'
import { AppError } from '../../../http/errors.ts'
import type { Opening } from './opening.ts'
import type { Asked, Batch, Checked, Said } from './read-task.ts'
import { Quarantined } from './refusal.ts'

/** What was said and not heard yet, in order. */
function listen(port: MessagePort) {
  const heard: (Said | Error)[] = []
  let wake: (() => void) | undefined
  const hear = (said: Said | Error) => {
    heard.push(said)
    wake?.()
  }
  port.on('message', hear)
  return {
    hear,
    async next(): Promise<Said> {
      while (heard.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      const said = heard.shift()
      if (!said || said instanceof Error) throw said
      return said
    },
  }
}

type Reading = { opening: Opening; companyId: number; signal: AbortSignal }

/**
 * Reads a deposit beside the server, which goes on answering. It is read twice: once to know that it is sound and whose
 * it is, once to give what it holds, batch by batch, as fast as they are taken.
 */
export function openReader({ compute }: Pick<Deps, 'compute'>, { opening, companyId, signal }: Reading) {
  const { port1: ours, port2: port } = new MessageChannel()
  const ears = listen(ours)
  const given = new AbortController()
  const options = { companyId, signal: AbortSignal.any([signal, given.signal]), moved: [port] }
  const task = compute('distributor-files.read', { opening, port }, options).catch((error: unknown) =>
    ears.hear(failureOf(error)),
  )
  const ask = (asked: Asked) => ours.postMessage(asked)
  let ready = false
  const next = async (): Promise<Said> => {
    const said = await ears.next()
    ready = 'done' in said || 'refused' in said
    if ('refused' in said) throw new Quarantined(said.refused.code, said.refused.message)
    return said
  }
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
    /** When this is over nobody touches the deposit any more. */
    async close() {
      if (!ready) given.abort(new Error('the reading was given up'))
      await task
      ours.close()
    },
  }
}

function failureOf(error: unknown): Error {
  if (error instanceof AppError && error.code === 'compute-memory')
    return new Quarantined(
      'content',
      `Ce fichier demande trop de mémoire${NBSP}: demandez-le par période ou par groupe de points.`,
    )
  return error instanceof Error ? error : new Error(String(error))
}
