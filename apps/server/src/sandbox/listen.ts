import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from './answers.ts'
import { control } from './control.ts'
import { resourceOf } from './resources.ts'
import { type Parts, send, serve } from './serve.ts'

const MOST_BODY = 64_000_000
const OWN = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
const CONTROL = '/_sandbox/'

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request) {
    size += part.length
    if (size > MOST_BODY) throw new Error('the body is too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Addresses without what tells one point from another. */
const counted = (path: string) => path.replace(/\d{14}|ACC\d{8}/g, '*')

async function handle(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/' } = request
  const cut = url.indexOf('?')
  const path = cut < 0 ? url : url.slice(0, cut)
  const body = method === 'GET' ? '' : await readBody(request)
  if (path.startsWith(CONTROL)) {
    if (!OWN.has(request.socket.remoteAddress ?? '')) return send(response, json({ message: 'not from here' }, 403))
    return send(response, control(parts, method, path.slice(CONTROL.length), body))
  }
  const query = new URLSearchParams(cut < 0 ? '' : url.slice(cut + 1))
  const answer = await serve(parts, { method, path, query, body, request })
  const { counters } = parts
  const status = typeof answer === 'string' ? answer : String(answer.status)
  const name = resourceOf(method, path) ? `${method} ${counted(path)}` : 'others'
  counters.calls++
  counters.byPath[name] = (counters.byPath[name] ?? 0) + 1
  counters.byStatus[status] = (counters.byStatus[status] ?? 0) + 1
  if (answer === 'cut') request.socket.resetAndDestroy()
  // A call that gets no answer stays open until whoever made it gives up.
  else if (answer !== 'hang') send(response, answer)
}

/** Answers with the port it listens at. */
export async function listen(parts: Parts, host: string, port: number) {
  const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, (request, response) => {
    handle(parts, request, response).catch((error: unknown) => {
      console.error(error)
      if (!response.headersSent) send(response, json({ message: String(error) }, 500))
    })
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  return { server, port: typeof address === 'object' && address ? address.port : port }
}
