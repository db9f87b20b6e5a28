import type { Endpoint, Input, Reply } from '@voisol/contract/endpoint'
import { z } from 'zod'
import { ApiError, addressOf, keyHeader } from '../../lib/call.ts'
import { authorization } from '../../lib/storage.ts'

type Sending = { file: File; signal: AbortSignal; onProgress: (done: number) => void }

/** Sends a file and says how far it is, 0 to 1: `fetch` does not tell. */
export function sendFile<E extends Endpoint>(e: E, input: Omit<Input<E>, 'upload'>, sending: Sending) {
  const request = new XMLHttpRequest()
  const { promise, resolve, reject } = Promise.withResolvers<Reply<E>>()
  request.open(e.method, addressOf(e, input))
  const headers = { ...authorization(), 'content-type': 'application/octet-stream', ...keyHeader(e) }
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  request.upload.onprogress = ({ loaded, total }) => sending.onProgress(total > 0 ? loaded / total : 0)
  request.onerror = () => reject(new TypeError('network'))
  request.onload = () => {
    if (request.status < 200 || request.status > 299) return reject(new ApiError(request.status, request.responseText))
    try {
      if (!(e.response instanceof z.ZodType)) throw new Error(`${e.path} answers with a file`)
      resolve(e.response.parse(JSON.parse(request.responseText)) as Reply<E>) // parsed by e's own schema
    } catch (error) {
      reject(error)
    }
  }
  sending.signal.addEventListener('abort', () => {
    request.abort()
    reject(new DOMException('', 'AbortError'))
  })
  request.send(sending.file)
  return promise
}
