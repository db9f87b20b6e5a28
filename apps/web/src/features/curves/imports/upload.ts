import { type CurveImport, curves } from '@voisol/contract/curves'
import { ApiError, addressOf } from '../../../lib/call.ts'
import { randomId } from '../../../lib/random-id.ts'
import { authorization } from '../../../lib/storage.ts'

/** Sends a file and says how far it is, 0 to 1: `fetch` does not tell. */
export function uploadCurves(file: File, signal: AbortSignal, onProgress: (done: number) => void) {
  const request = new XMLHttpRequest()
  const { promise, resolve, reject } = Promise.withResolvers<CurveImport>()
  request.open(curves.upload.method, addressOf(curves.upload, { query: { name: file.name } }))
  const headers = { ...authorization(), 'content-type': 'application/octet-stream', 'idempotency-key': randomId() }
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
  request.onerror = () => reject(new TypeError('network'))
  request.onload = () => {
    if (request.status < 200 || request.status > 299) return reject(new ApiError(request.status, request.responseText))
    try {
      resolve(curves.upload.response.parse(JSON.parse(request.responseText)))
    } catch (error) {
      reject(error)
    }
  }
  signal.addEventListener('abort', () => {
    request.abort()
    reject(new DOMException('', 'AbortError'))
  })
  request.send(file)
  return promise
}
