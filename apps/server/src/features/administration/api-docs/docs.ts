import type { DocEndpoint } from '@voisol/contract/api-docs'
import { type Endpoint, isRepeatable } from '@voisol/contract/endpoint'
import { ERRORS, type ErrorCode } from '@voisol/contract/errors'
import { EVENTS } from '@voisol/contract/events'
import { WEBHOOK_EVENTS } from '@voisol/contract/webhooks'
import { whoMay } from '../../../http/openapi.ts'
import { fieldsOf as eventFields } from '../flows/flows.ts'
import { EXAMPLES, type Example } from './examples.ts'
import { fieldsOf } from './fields.ts'
import { type ShownId, shownEndpoints } from './shown.ts'

/** What a call may answer beside what its access and its parts say. */
const OWN: Partial<Record<ShownId, ErrorCode[]>> = {
  'auth.login': ['credentials', 'second-factor-required', 'second-factor'],
  'auth.refresh': ['session-expired'],
  'operations.move': ['stale', 'invalid-transition', 'effects-unseen'],
}

function codesOf(id: ShownId, e: Endpoint): ErrorCode[] {
  const codes: ErrorCode[] = []
  if (e.body) codes.push('malformed')
  if (e.access !== 'public') codes.push('unauthenticated', 'session-expired')
  codes.push(...(OWN[id] ?? []))
  if (typeof e.access === 'object') codes.push('forbidden')
  if (e.params) codes.push('not-found')
  if (e.body || e.query) codes.push('invalid')
  if (isRepeatable(e)) codes.push('idempotency-mismatch')
  if (e.access === 'public') codes.push('throttled')
  return codes
}

const errorsOf = (id: ShownId, e: Endpoint) =>
  codesOf(id, e)
    .map((code) => ({ status: ERRORS[code][0], code, message: ERRORS[code][1] }))
    .sort((a, b) => a.status - b.status)

/** The address of a call, its parts filled in. */
export function addressOf(
  e: Endpoint,
  params: Record<string, string> = {},
  query: Record<string, string> = {},
): string {
  const path = e.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(query).toString()
  return search ? `${path}?${search}` : path
}

const json = (value: unknown) => JSON.stringify(value, null, 2)

const exampleOf = (e: Endpoint, { params, query, body, response }: Example) => ({
  path: addressOf(e, params, query),
  body: body === undefined ? null : json(body),
  status: 200,
  response: json(response),
})

export const isTryable = (e: Endpoint) => e.method === 'GET'

/** Open to all, because whoever is signed out already may call it; it is the token that says which session ends. */
const NAMED_BY_TOKEN = new Set<ShownId>(['auth.logout'])

let known: DocEndpoint[] | undefined
/** The documentation, made from the contract alone. */
export function docEndpoints(): DocEndpoint[] {
  known ??= shownEndpoints.map(({ id, tab, endpoint }) => ({
    id,
    tab,
    method: endpoint.method,
    path: endpoint.path.replace(/:(\w+)/g, '{$1}'),
    summary: endpoint.summary,
    access: whoMay(endpoint.access),
    signed: endpoint.access !== 'public' || NAMED_BY_TOKEN.has(id),
    fields: fieldsOf(id, endpoint),
    example: exampleOf(endpoint, EXAMPLES[id]),
    errors: errorsOf(id, endpoint),
    tryable: isTryable(endpoint),
  }))
  return known
}

/** What can be asked for by a webhook, from the table of events. */
export const docEvents = () =>
  WEBHOOK_EVENTS.map((name) => ({
    name,
    label: EVENTS[name].label,
    fields: eventFields(name),
    sample: EVENTS[name].sample,
  }))
