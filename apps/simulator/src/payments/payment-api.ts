import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { z } from 'zod'
import { type SimulatorResponse, toJsonResponse } from '../responses.ts'
import { sendResponse } from '../serve.ts'
import type { PersistentState } from '../simulator-store.ts'
import {
  advanceTime,
  createWebhookSender,
  generateObjectId,
  getSimulatorSeconds,
  markSessionExpired,
  openDispute,
  type PaymentSimulatorParts,
  toDisputeObject,
  toEventObject,
  toIntentObject,
  toRefundObject,
  toSessionObject,
} from './payment-actions.ts'
import { answerPayPage } from './payment-page.ts'
import type { Dispute, Intent } from './payment-state.ts'
import {
  type CheckoutSession,
  type FormFields,
  type PaymentSimulatorState,
  PaymentTroubles,
  parseForm,
} from './payment-state.ts'

type PaymentApiCall = {
  method: string
  path: string
  query: URLSearchParams
  body: string
  authorization: string
  idempotency: string
}
type AccountCall = PaymentApiCall & { account: string; form: FormFields; id: string }

const createErrorResponse = (message: string, status = 400): SimulatorResponse =>
  toJsonResponse(
    { error: { type: status === 401 ? 'authentication_error' : 'invalid_request_error', message } },
    status,
  )
const createMissingResponse = (what: string, id: string) => createErrorResponse(`No such ${what}: '${id}'`, 404)
const createListResponse = (data: unknown[], url: string) =>
  toJsonResponse({ object: 'list', data, has_more: false, url })

/** Any well-formed key opens an account of its own, named by the end of the key. */
function parseAccount(authorization: string): string | undefined {
  const given = authorization.startsWith('Basic ')
    ? Buffer.from(authorization.slice(6), 'base64').toString('utf8').replace(/:$/, '')
    : authorization.replace(/^Bearer /, '')
  return /^[rs]k_test_(\w{6,})$/.exec(given)?.[1]
}

/** The entries under a name, by the text in the next brackets. */
function getNestedFields(form: FormFields, name: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [key, value] of form) {
    const rest = key.startsWith(`${name}[`) ? /^\[([^\]]+)\]$/.exec(key.slice(name.length))?.[1] : undefined
    if (rest !== undefined) found[rest] = value
  }
  return found
}

/** Values of a list, written with or without indexes. */
const getListValues = (form: URLSearchParams | FormFields, name: string): string[] =>
  [...form].flatMap(([key, value]) => (key.startsWith(`${name}[`) ? [value] : []))

function createSession(parts: PaymentSimulatorParts, { form, account }: AccountCall): SimulatorResponse {
  // The interface of 2026: a request for an older version is refused.
  if (form.has('payment_method_types[0]'))
    return createErrorResponse('Received unknown parameter: payment_method_types')
  const method = form.get('allowed_payment_method_types[0]')
  const amount = Number(form.get('line_items[0][price_data][unit_amount]'))
  if (!Number.isInteger(amount) || amount < 50)
    return createErrorResponse('The Checkout Session’s total amount must be at least €0.50')
  if (method !== 'card' && method !== 'sepa_debit')
    return createErrorResponse('allowed_payment_method_types is invalid')
  const now = getSimulatorSeconds(parts.store)
  const session: CheckoutSession = {
    id: generateObjectId('cs_test'),
    account,
    intent: null,
    amount,
    method,
    status: 'open',
    created: now,
    reference: form.get('client_reference_id') ?? '',
    metadata: getNestedFields(form, 'payment_intent_data[metadata]'),
    label: form.get('line_items[0][price_data][product_data][name]') ?? '',
    email: form.get('customer_email') ?? '',
    successUrl: form.get('success_url') ?? '',
    cancelUrl: form.get('cancel_url') ?? '',
    // Given by the client, whose clock differs from the simulator's.
    expires: now + Math.max(60, Number(form.get('expires_at') ?? 0) - Math.floor(Date.now() / 1000)),
  }
  parts.store.state.sessions.push(session)
  return toJsonResponse(toSessionObject(session, parts.url()))
}

function withSession(
  parts: PaymentSimulatorParts,
  asked: AccountCall,
  answer: (session: CheckoutSession) => SimulatorResponse,
): SimulatorResponse {
  const found = parts.store.state.sessions.find(({ id, account }) => id === asked.id && account === asked.account)
  return found ? answer(found) : createMissingResponse('checkout.session', asked.id)
}

const readSession = (parts: PaymentSimulatorParts, asked: AccountCall) =>
  withSession(parts, asked, (session) => {
    const intent = parts.store.state.intents.find(({ id }) => id === session.intent)
    const whole = getListValues(asked.query, 'expand').includes('payment_intent') && intent
    return toJsonResponse({
      ...toSessionObject(session, parts.url()),
      ...(whole && { payment_intent: toIntentObject(whole) }),
    })
  })

const expireSession = (parts: PaymentSimulatorParts, asked: AccountCall) =>
  withSession(parts, asked, (session) => {
    if (session.status !== 'open')
      return createErrorResponse(`Only Checkout Sessions with a status in ["open"] can be expired.`)
    markSessionExpired(parts, session)
    return toJsonResponse(toSessionObject(session, parts.url()))
  })

function recordRefund(parts: PaymentSimulatorParts, intent: Intent, amount: number) {
  const made = { id: generateObjectId('re'), intent: intent.id, amount, created: getSimulatorSeconds(parts.store) }
  const row = { ...made, status: 'succeeded' as const }
  parts.store.state.refunds.push(row)
  parts.hooks.tell(intent.account, 'refund.created', toRefundObject(row))
  return row
}

function createRefund(parts: PaymentSimulatorParts, { form, account }: AccountCall): SimulatorResponse {
  const { intents, refunds } = parts.store.state
  const id = form.get('payment_intent') ?? ''
  const intent = intents.find((one) => one.id === id && one.account === account)
  if (!intent) return createMissingResponse('payment_intent', id)
  const back = refunds.filter((one) => one.intent === id && one.status === 'succeeded')
  const left = intent.amount - back.reduce((sum, one) => sum + one.amount, 0)
  const amount = Number(form.get('amount') ?? left)
  if (intent.status !== 'succeeded')
    return createErrorResponse('This PaymentIntent does not have a successful charge to refund.')
  if (!(amount > 0 && amount <= left))
    return createErrorResponse('Refund amount is greater than unrefunded amount on charge')
  return toJsonResponse(toRefundObject(recordRefund(parts, intent, amount)))
}

const readIntent = ({ store }: PaymentSimulatorParts, { id, account }: AccountCall) => {
  const found = store.state.intents.find((one) => one.id === id && one.account === account)
  return found ? toJsonResponse(toIntentObject(found)) : createMissingResponse('payment_intent', id)
}

function listEvents({ store }: PaymentSimulatorParts, { query, account }: AccountCall): SimulatorResponse {
  const from = Number(query.get('created[gte]') ?? 0)
  const types = getListValues(query, 'types')
  const after = query.get('starting_after')
  const all = store.state.events
    .filter((one) => one.account === account && one.created >= from && (!types.length || types.includes(one.type)))
    .reverse()
  const start = after ? all.findIndex(({ id }) => id === after) + 1 : 0
  const size = Number(query.get('limit') ?? 10)
  const page = all.slice(start, start + size).map(toEventObject)
  return toJsonResponse({ object: 'list', data: page, has_more: start + size < all.length, url: '/v1/events' })
}

function createHook({ store }: PaymentSimulatorParts, { form, account }: AccountCall): SimulatorResponse {
  const hook = { id: generateObjectId('we'), account, url: form.get('url') ?? '', secret: generateObjectId('whsec') }
  if (!URL.canParse(hook.url))
    return createErrorResponse('Invalid URL: an explicit scheme (such as https) must be provided.')
  store.state.hooks.push({ ...hook, types: getListValues(form, 'enabled_events') })
  return toJsonResponse({
    id: hook.id,
    object: 'webhook_endpoint',
    url: hook.url,
    secret: hook.secret,
    status: 'enabled',
  })
}

function removeHook({ store }: PaymentSimulatorParts, { id, account }: AccountCall): SimulatorResponse {
  store.state.hooks = store.state.hooks.filter((one) => one.id !== id || one.account !== account)
  return toJsonResponse({ id, object: 'webhook_endpoint', deleted: true })
}

const toAccountObject = (account: string) => ({
  id: `acct_${account}`,
  object: 'account',
  settings: { dashboard: { display_name: 'Prestataire du bac à sable' } },
})
const ROUTES: [RegExp, (parts: PaymentSimulatorParts, asked: AccountCall) => SimulatorResponse][] = [
  [/^GET \/v1\/account$/, (_, { account }) => toJsonResponse(toAccountObject(account))],
  [/^POST \/v1\/checkout\/sessions$/, createSession],
  [/^GET \/v1\/checkout\/sessions\/(\w+)$/, readSession],
  [/^POST \/v1\/checkout\/sessions\/(\w+)\/expire$/, expireSession],
  [/^GET \/v1\/payment_intents\/(\w+)$/, readIntent],
  [/^POST \/v1\/refunds$/, createRefund],
  [
    /^GET \/v1\/refunds$/,
    ({ store }, { query }) =>
      createListResponse(
        store.state.refunds.filter((one) => one.intent === query.get('payment_intent')).map(toRefundObject),
        '/v1/refunds',
      ),
  ],
  [
    /^GET \/v1\/disputes$/,
    ({ store }, { query }) =>
      createListResponse(
        store.state.disputes.filter((one) => one.intent === query.get('payment_intent')).map(toDisputeObject),
        '/v1/disputes',
      ),
  ],
  [/^GET \/v1\/events$/, listEvents],
  [/^POST \/v1\/webhook_endpoints$/, createHook],
  [/^DELETE \/v1\/webhook_endpoints\/(\w+)$/, removeHook],
]

/** One call of the interface. The same request with the same idempotency key gets its first answer. */
function answerPaymentApi(parts: PaymentSimulatorParts, call: PaymentApiCall): SimulatorResponse {
  const account = parseAccount(call.authorization)
  if (!account) return createErrorResponse('Invalid API Key provided', 401)
  const key = call.idempotency && `${account} ${call.path} ${call.idempotency}`
  const before = parts.store.state.answers[key]
  if (key && before) return { status: 200, body: before }
  for (const [pattern, answer] of ROUTES) {
    const match = pattern.exec(`${call.method} ${call.path}`)
    if (!match) continue
    const made = answer(parts, { ...call, account, form: parseForm(call.body), id: match[1] ?? '' })
    if (key && made.status === 200) parts.store.state.answers[key] = made.body
    return made
  }
  return createErrorResponse(`Unrecognized request URL (${call.method}: ${call.path}).`, 404)
}

const Clock = z.strictObject({ now: z.iso.datetime({ offset: true }).nullable() })
const Release = z.strictObject({ seed: z.int().nullable().default(null) })
const IntentReference = z.strictObject({ intent: z.string() })
const DisputeClosing = z.strictObject({ id: z.string(), won: z.boolean() })

type PaymentStateChange = (parts: PaymentSimulatorParts, body: unknown) => unknown
function closeDispute(parts: PaymentSimulatorParts, found: Dispute, won: boolean) {
  const account = parts.store.state.intents.find(({ id }) => id === found.intent)?.account ?? ''
  found.status = won ? 'won' : 'lost'
  if (won) parts.hooks.tell(account, 'charge.dispute.funds_reinstated', toDisputeObject(found))
  parts.hooks.tell(account, 'charge.dispute.closed', toDisputeObject(found))
}

/** The payer's bank rejects the refund: the money returns to the seller. */
function failRefund(parts: PaymentSimulatorParts, id: string) {
  const found = parts.store.state.refunds.find((one) => one.id === id)
  if (!found) return
  found.status = 'failed'
  const account = parts.store.state.intents.find((one) => one.id === found.intent)?.account ?? ''
  parts.hooks.tell(account, 'refund.failed', toRefundObject(found))
}

const PAYMENT_STATE_CHANGES: Record<string, PaymentStateChange> = {
  'PUT clock': ({ store }, body) => {
    const { now } = Clock.parse(body)
    store.state.ahead = now === null ? 0 : Date.parse(now) - Date.now()
  },
  'PUT troubles': ({ store }, body) => {
    store.state.troubles = PaymentTroubles.parse(body)
  },
  'PUT release': async ({ hooks }, body) => ({ sent: await hooks.release(Release.parse(body).seed) }),
  'PUT dispute': (parts, body) => {
    const { intent: id } = IntentReference.parse(body)
    const intent = parts.store.state.intents.find((one) => one.id === id)
    if (!intent) throw new Error(`no intent ${id}`)
    return { id: openDispute(parts, intent).id }
  },
  'PUT dispute-closed': (parts, body) => {
    const { id, won } = DisputeClosing.parse(body)
    const found = parts.store.state.disputes.find((one) => one.id === id)
    if (!found) throw new Error(`no dispute ${id}`)
    closeDispute(parts, found, won)
  },
  'PUT refund-failed': (parts, body) => failRefund(parts, z.strictObject({ id: z.string() }).parse(body).id),
  'DELETE state': ({ store }) => store.reset(),
}

/** Calls allowed only from this machine: clock, faults, and decisions of a bank. */
async function handlePaymentControl(
  parts: PaymentSimulatorParts,
  method: string,
  name: string,
  body: string,
): Promise<SimulatorResponse> {
  const { store, hooks } = parts
  if (method === 'GET' && name === 'state') {
    await hooks.idle()
    const { answers: _, hooks: listeners, ...shown } = store.state
    return toJsonResponse({ ...shown, hooks: listeners.map(({ id, url }) => ({ id, url })), log: hooks.log })
  }
  const change = PAYMENT_STATE_CHANGES[`${method} ${name}`]
  if (!change) return toJsonResponse({ message: `no ${method} ${name}` }, 404)
  try {
    const said = await change(parts, body ? JSON.parse(body) : undefined)
    advanceTime(parts)
    store.save()
    return toJsonResponse(said ?? { done: true })
  } catch (error) {
    return toJsonResponse({ message: error instanceof z.ZodError ? z.prettifyError(error) : String(error) }, 400)
  }
}

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
