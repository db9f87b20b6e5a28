import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type SimulatorResponse, toJsonResponse } from '../answers.ts'
import { sendResponse } from '../serve.ts'
import type { PersistentState } from '../store.ts'
import { answerPaymentApi } from './api.ts'
import { handlePaymentControl } from './control.ts'
import { createWebhookSender } from './hooks.ts'
import { advanceTime, type PaymentSimulatorParts } from './moves.ts'
import { answerPayPage } from './pay.ts'
import type { PaymentSimulatorState } from './schemas.ts'

const MAX_BODY_BYTES = 1_000_000
const LOOPBACK_ADDRESSES = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
const CONTROL_PATH = '/_sandbox/'
const PAY_PATH = '/pay/'
const TICK_MS = 1000

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

async function answerRequest(parts: PaymentSimulatorParts, request: IncomingMessage): Promise<SimulatorResponse> {
  const { method = 'GET', url = '/', headers } = request
  const { pathname: path, searchParams: query } = new URL(url, 'http://sandbox')
  const body = await readRequestBody(request)
  advanceTime(parts)
  if (path.startsWith(CONTROL_PATH)) {
    if (!LOOPBACK_ADDRESSES.has(request.socket.remoteAddress ?? ''))
      return toJsonResponse({ message: 'not from here' }, 403)
    return handlePaymentControl(parts, method, path.slice(CONTROL_PATH.length), body)
  }
  if (path.startsWith(PAY_PATH)) return answerPayPage(parts, method, path.slice(PAY_PATH.length), body)
  const { authorization = '' } = headers
  const idempotency = String(headers['idempotency-key'] ?? '')
  return answerPaymentApi(parts, { method, path, query, body, authorization, idempotency })
}

/** Resolves with the port it listens on. */
export async function listenPaymentSimulator(
  store: PersistentState<PaymentSimulatorState>,
  host: string,
  port: number,
) {
  let at = port
  const hooks = createWebhookSender(store)
  const parts: PaymentSimulatorParts = { store, hooks, url: () => `http://127.0.0.1:${at}` }
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const said = await answerRequest(parts, request)
    store.save()
    sendResponse(response, said)
  }
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    handle(request, response).catch((error: unknown) => {
      console.error(error)
      if (!response.headersSent)
        sendResponse(response, toJsonResponse({ error: { type: 'api_error', message: String(error) } }, 500))
    })
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  at = typeof address === 'object' && address ? address.port : port
  const timer = setInterval(() => advanceTime(parts), TICK_MS).unref()
  const close = () => {
    clearInterval(timer)
    hooks.close()
    server.close()
    server.closeAllConnections()
  }
  return { url: parts.url(), close }
}
