import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { toJsonResponse } from './answers.ts'
import { handleControl } from './control.ts'
import { findResource } from './resources.ts'
import { answerCall, type EnedisSimulatorParts, sendResponse } from './serve.ts'

const MAX_BODY_BYTES = 64_000_000
const LOOPBACK_ADDRESSES = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
const CONTROL_PATH = '/_sandbox/'

async function readRequestBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request) {
    size += part.length
    if (size > MAX_BODY_BYTES) throw new Error('the body is too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Paths without the identifiers of points. */
const maskIdentifiers = (path: string) => path.replace(/\d{14}|ACC\d{8}/g, '*')

async function handleRequest(
  parts: EnedisSimulatorParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/' } = request
  const cut = url.indexOf('?')
  const path = cut < 0 ? url : url.slice(0, cut)
  const body = method === 'GET' ? '' : await readRequestBody(request)
  if (path.startsWith(CONTROL_PATH)) {
    if (!LOOPBACK_ADDRESSES.has(request.socket.remoteAddress ?? ''))
      return sendResponse(response, toJsonResponse({ message: 'not from here' }, 403))
    return sendResponse(response, handleControl(parts, method, path.slice(CONTROL_PATH.length), body))
  }
  const query = new URLSearchParams(cut < 0 ? '' : url.slice(cut + 1))
  const answer = await answerCall(parts, { method, path, query, body, request })
  const { counters } = parts
  const status = typeof answer === 'string' ? answer : String(answer.status)
  const name = findResource(method, path) ? `${method} ${maskIdentifiers(path)}` : 'others'
  counters.calls++
  counters.byPath[name] = (counters.byPath[name] ?? 0) + 1
  counters.byStatus[status] = (counters.byStatus[status] ?? 0) + 1
  if (answer === 'cut') request.socket.resetAndDestroy()
  // A call without an answer stays open until the client gives up.
  else if (answer !== 'hang') sendResponse(response, answer)
}

/** Resolves with the port it listens on. */
export async function listenEnedisSimulator(parts: EnedisSimulatorParts, host: string, port: number) {
  const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, (request, response) => {
    handleRequest(parts, request, response).catch((error: unknown) => {
      console.error(error)
      if (!response.headersSent) sendResponse(response, toJsonResponse({ message: String(error) }, 500))
    })
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  return { server, port: typeof address === 'object' && address ? address.port : port }
}
