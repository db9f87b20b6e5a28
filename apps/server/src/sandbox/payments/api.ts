import { type Answer, json } from '../answers.ts'
import { type Form, formOf, listOf, under } from './form.ts'
import { newId, secondsOf } from './hooks.ts'
import { expire, type Parts, refund } from './moves.ts'
import { disputeObject, eventObject, intentObject, refundObject, sessionObject } from './objects.ts'
import type { Session } from './schemas.ts'

export type Call = {
  method: string
  path: string
  query: URLSearchParams
  body: string
  authorization: string
  idempotency: string
}
type Asked = Call & { account: string; form: Form; id: string }

const fault = (message: string, status = 400): Answer =>
  json({ error: { type: status === 401 ? 'authentication_error' : 'invalid_request_error', message } }, status)
const missing = (what: string, id: string) => fault(`No such ${what}: '${id}'`, 404)
const list = (data: unknown[], url: string) => json({ object: 'list', data, has_more: false, url })

/** Any key of the right shape opens an account of its own: the key's end names it. */
function accountOf(authorization: string): string | undefined {
  const given = authorization.startsWith('Basic ')
    ? Buffer.from(authorization.slice(6), 'base64').toString('utf8').replace(/:$/, '')
    : authorization.replace(/^Bearer /, '')
  return /^[rs]k_test_(\w{6,})$/.exec(given)?.[1]
}

function createSession(parts: Parts, { form, account }: Asked): Answer {
  // As the interface has been since 2026: an order written for an older one is refused, not half understood.
  if (form.has('payment_method_types[0]')) return fault('Received unknown parameter: payment_method_types')
  const method = form.get('allowed_payment_method_types[0]')
  const amount = Number(form.get('line_items[0][price_data][unit_amount]'))
  if (!Number.isInteger(amount) || amount < 50)
    return fault('The Checkout Session’s total amount must be at least €0.50')
  if (method !== 'card' && method !== 'sepa_debit') return fault('allowed_payment_method_types is invalid')
  const now = secondsOf(parts.store)
  const session: Session = {
    id: newId('cs_test'),
    account,
    intent: null,
    amount,
    method,
    status: 'open',
    created: now,
    reference: form.get('client_reference_id') ?? '',
    metadata: under(form, 'payment_intent_data[metadata]'),
    label: form.get('line_items[0][price_data][product_data][name]') ?? '',
    email: form.get('customer_email') ?? '',
    successUrl: form.get('success_url') ?? '',
    cancelUrl: form.get('cancel_url') ?? '',
    // Said by whoever calls, whose clock is not the sandbox's.
    expires: now + Math.max(60, Number(form.get('expires_at') ?? 0) - Math.floor(Date.now() / 1000)),
  }
  parts.store.state.sessions.push(session)
  return json(sessionObject(session, parts.url()))
}

function withSession(parts: Parts, asked: Asked, answer: (session: Session) => Answer): Answer {
  const found = parts.store.state.sessions.find(({ id, account }) => id === asked.id && account === asked.account)
  return found ? answer(found) : missing('checkout.session', asked.id)
}

const readSession = (parts: Parts, asked: Asked) =>
  withSession(parts, asked, (session) => {
    const intent = parts.store.state.intents.find(({ id }) => id === session.intent)
    const whole = listOf(asked.query, 'expand').includes('payment_intent') && intent
    return json({
      ...sessionObject(session, parts.url()),
      ...(whole && { payment_intent: intentObject(whole) }),
    })
  })

const expireSession = (parts: Parts, asked: Asked) =>
  withSession(parts, asked, (session) => {
    if (session.status !== 'open') return fault(`Only Checkout Sessions with a status in ["open"] can be expired.`)
    expire(parts, session)
    return json(sessionObject(session, parts.url()))
  })

function createRefund(parts: Parts, { form, account }: Asked): Answer {
  const { intents, refunds } = parts.store.state
  const id = form.get('payment_intent') ?? ''
  const intent = intents.find((one) => one.id === id && one.account === account)
  if (!intent) return missing('payment_intent', id)
  const back = refunds.filter((one) => one.intent === id && one.status === 'succeeded')
  const left = intent.amount - back.reduce((sum, one) => sum + one.amount, 0)
  const amount = Number(form.get('amount') ?? left)
  if (intent.status !== 'succeeded') return fault('This PaymentIntent does not have a successful charge to refund.')
  if (!(amount > 0 && amount <= left)) return fault('Refund amount is greater than unrefunded amount on charge')
  return json(refundObject(refund(parts, intent, amount)))
}

const readIntent = ({ store }: Parts, { id, account }: Asked) => {
  const found = store.state.intents.find((one) => one.id === id && one.account === account)
  return found ? json(intentObject(found)) : missing('payment_intent', id)
}

function listEvents({ store }: Parts, { query, account }: Asked): Answer {
  const from = Number(query.get('created[gte]') ?? 0)
  const types = listOf(query, 'types')
  const after = query.get('starting_after')
  const all = store.state.events
    .filter((one) => one.account === account && one.created >= from && (!types.length || types.includes(one.type)))
    .reverse()
  const start = after ? all.findIndex(({ id }) => id === after) + 1 : 0
  const size = Number(query.get('limit') ?? 10)
  const page = all.slice(start, start + size).map(eventObject)
  return json({ object: 'list', data: page, has_more: start + size < all.length, url: '/v1/events' })
}

function createHook({ store }: Parts, { form, account }: Asked): Answer {
  const hook = { id: newId('we'), account, url: form.get('url') ?? '', secret: newId('whsec') }
  if (!URL.canParse(hook.url)) return fault('Invalid URL: an explicit scheme (such as https) must be provided.')
  store.state.hooks.push({ ...hook, types: listOf(form, 'enabled_events') })
  return json({ id: hook.id, object: 'webhook_endpoint', url: hook.url, secret: hook.secret, status: 'enabled' })
}

function removeHook({ store }: Parts, { id, account }: Asked): Answer {
  store.state.hooks = store.state.hooks.filter((one) => one.id !== id || one.account !== account)
  return json({ id, object: 'webhook_endpoint', deleted: true })
}

const owner = (account: string) => ({
  id: `acct_${account}`,
  object: 'account',
  settings: { dashboard: { display_name: 'Prestataire du bac à sable' } },
})
const ROUTES: [RegExp, (parts: Parts, asked: Asked) => Answer][] = [
  [/^GET \/v1\/account$/, (_, { account }) => json(owner(account))],
  [/^POST \/v1\/checkout\/sessions$/, createSession],
  [/^GET \/v1\/checkout\/sessions\/(\w+)$/, readSession],
  [/^POST \/v1\/checkout\/sessions\/(\w+)\/expire$/, expireSession],
  [/^GET \/v1\/payment_intents\/(\w+)$/, readIntent],
  [/^POST \/v1\/refunds$/, createRefund],
  [
    /^GET \/v1\/refunds$/,
    ({ store }, { query }) =>
      list(
        store.state.refunds.filter((one) => one.intent === query.get('payment_intent')).map(refundObject),
        '/v1/refunds',
      ),
  ],
  [
    /^GET \/v1\/disputes$/,
    ({ store }, { query }) =>
      list(
        store.state.disputes.filter((one) => one.intent === query.get('payment_intent')).map(disputeObject),
        '/v1/disputes',
      ),
  ],
  [/^GET \/v1\/events$/, listEvents],
  [/^POST \/v1\/webhook_endpoints$/, createHook],
  [/^DELETE \/v1\/webhook_endpoints\/(\w+)$/, removeHook],
]

/** One call of the interface. The same order under the same key is answered as it was the first time. */
export function answerApi(parts: Parts, call: Call): Answer {
  const account = accountOf(call.authorization)
  if (!account) return fault('Invalid API Key provided', 401)
  const key = call.idempotency && `${account} ${call.path} ${call.idempotency}`
  const before = parts.store.state.answers[key]
  if (key && before) return { status: 200, body: before }
  for (const [pattern, answer] of ROUTES) {
    const match = pattern.exec(`${call.method} ${call.path}`)
    if (!match) continue
    const made = answer(parts, { ...call, account, form: formOf(call.body), id: match[1] ?? '' })
    if (key && made.status === 200) parts.store.state.answers[key] = made.body
    return made
  }
  return fault(`Unrecognized request URL (${call.method}: ${call.path}).`, 404)
}
