import type { Endpoint, EndpointInput, EndpointReply } from '@voisol/contract/endpoint'
import { z } from 'zod'
import { ApiError, buildEndpointUrl, buildIdempotencyHeader } from '../../lib/call.ts'
import { buildAuthorizationHeaders } from '../../lib/storage.ts'

type UploadOptions = { file: File; signal: AbortSignal; onProgress: (done: number) => void }

/** Sends a file and says how far it is, 0 to 1: `fetch` does not tell. */
export function uploadWithProgress<E extends Endpoint>(
  e: E,
  input: Omit<EndpointInput<E>, 'upload'>,
  sending: UploadOptions,
) {
  const request = new XMLHttpRequest()
  const { promise, resolve, reject } = Promise.withResolvers<EndpointReply<E>>()
  request.open(e.method, buildEndpointUrl(e, input))
  const headers = {
    ...buildAuthorizationHeaders(),
    'content-type': 'application/octet-stream',
    ...buildIdempotencyHeader(e),
  }
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  request.upload.onprogress = ({ loaded, total }) => sending.onProgress(total > 0 ? loaded / total : 0)
  request.onerror = () => reject(new TypeError('network'))
  request.onload = () => {
    if (request.status < 200 || request.status > 299) return reject(new ApiError(request.status, request.responseText))
    try {
      if (!(e.response instanceof z.ZodType)) throw new Error(`${e.path} answers with a file`)
      resolve(e.response.parse(JSON.parse(request.responseText)) as EndpointReply<E>) // parsed by e's own schema
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
