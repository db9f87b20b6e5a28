import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Answer, json } from '../answers.ts'
import { send } from '../serve.ts'
import type { Kept } from '../store.ts'
import { answerApi } from './api.ts'
import { control } from './control.ts'
import { openHooks } from './hooks.ts'
import { type Parts, tick } from './moves.ts'
import { answerPage } from './pay.ts'
import type { Held } from './schemas.ts'

const MOST_BODY = 1_000_000
const OWN = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
const CONTROL = '/_sandbox/'
const PAY = '/pay/'
const TICK_MS = 1000

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

async function answer(parts: Parts, request: IncomingMessage): Promise<Answer> {
  const { method = 'GET', url = '/', headers } = request
  const { pathname: path, searchParams: query } = new URL(url, 'http://sandbox')
  const body = await readBody(request)
  tick(parts)
  if (path.startsWith(CONTROL)) {
    if (!OWN.has(request.socket.remoteAddress ?? '')) return json({ message: 'not from here' }, 403)
    return control(parts, method, path.slice(CONTROL.length), body)
  }
  if (path.startsWith(PAY)) return answerPage(parts, method, path.slice(PAY.length), body)
  const { authorization = '' } = headers
  const idempotency = String(headers['idempotency-key'] ?? '')
  return answerApi(parts, { method, path, query, body, authorization, idempotency })
}

/** Answers with the port it listens at. */
export async function listenPayments(store: Kept<Held>, host: string, port: number) {
  let at = port
  const hooks = openHooks(store)
  const parts: Parts = { store, hooks, url: () => `http://127.0.0.1:${at}` }
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const said = await answer(parts, request)
    store.save()
    send(response, said)
  }
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    handle(request, response).catch((error: unknown) => {
      console.error(error)
      if (!response.headersSent) send(response, json({ error: { type: 'api_error', message: String(error) } }, 500))
    })
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  at = typeof address === 'object' && address ? address.port : port
  const timer = setInterval(() => tick(parts), TICK_MS).unref()
  const close = () => {
    clearInterval(timer)
    hooks.close()
    server.close()
    server.closeAllConnections()
  }
  return { url: parts.url(), close }
}
