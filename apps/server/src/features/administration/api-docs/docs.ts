import type { DocEndpoint } from '@voisol/contract/api-docs'
import { type Endpoint, isRepeatable } from '@voisol/contract/endpoint'
import { ERRORS, type ErrorCode } from '@voisol/contract/errors'
import { EVENTS } from '@voisol/contract/events'
import { WEBHOOK_EVENTS } from '@voisol/contract/webhooks'
import { describeAccess } from '../../../http/openapi.ts'
import { getEventFields as eventFields } from '../flows/flows.ts'
import { CALL_EXAMPLES, type CallExample } from './examples.ts'
import { listEndpointFields } from './fields.ts'
import { type DocumentedCallId, documentedEndpoints } from './shown.ts'

/** Error codes that cannot be deduced from the access rule and the schemas of an endpoint. */
const EXTRA_ERROR_CODES: Partial<Record<DocumentedCallId, ErrorCode[]>> = {
  'auth.login': ['credentials', 'second-factor-required', 'second-factor'],
  'auth.refresh': ['session-expired'],
  'operations.move': ['stale', 'invalid-transition', 'effects-unseen'],
}

function listErrorCodes(id: DocumentedCallId, e: Endpoint): ErrorCode[] {
  const codes: ErrorCode[] = []
  if (e.body) codes.push('malformed')
  if (e.access !== 'public') codes.push('unauthenticated', 'session-expired')
  codes.push(...(EXTRA_ERROR_CODES[id] ?? []))
  if (typeof e.access === 'object') codes.push('forbidden')
  if (e.params) codes.push('not-found')
  if (e.body || e.query) codes.push('invalid')
  if (isRepeatable(e)) codes.push('idempotency-mismatch')
  if (e.access === 'public') codes.push('throttled')
  return codes
}

const buildErrorDocs = (id: DocumentedCallId, e: Endpoint) =>
  listErrorCodes(id, e)
    .map((code) => ({ status: ERRORS[code][0], code, message: ERRORS[code][1] }))
    .sort((a, b) => a.status - b.status)

/** URL of an endpoint with its path parameters filled in. */
export function buildDocumentedCallUrl(
  e: Endpoint,
  params: Record<string, string> = {},
  query: Record<string, string> = {},
): string {
  const path = e.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(query).toString()
  return search ? `${path}?${search}` : path
}

const toPrettyJson = (value: unknown) => JSON.stringify(value, null, 2)

const buildExampleDoc = (e: Endpoint, { params, query, body, response }: CallExample) => ({
  path: buildDocumentedCallUrl(e, params, query),
  body: body === undefined ? null : toPrettyJson(body),
  status: 200,
  response: toPrettyJson(response),
})

export const isTryable = (e: Endpoint) => e.method === 'GET'

/** Public, because a signed-out client may call it too; the bearer token says which session ends. */
const IDENTIFIED_BY_TOKEN = new Set<DocumentedCallId>(['auth.logout'])

let cachedEndpointDocs: DocEndpoint[] | undefined
/** Builds the documentation from the API contract alone. */
export function getEndpointDocs(): DocEndpoint[] {
  cachedEndpointDocs ??= documentedEndpoints.map(({ id, tab, endpoint }) => ({
    id,
    tab,
    method: endpoint.method,
    path: endpoint.path.replace(/:(\w+)/g, '{$1}'),
    summary: endpoint.summary,
    access: describeAccess(endpoint.access),
    signed: endpoint.access !== 'public' || IDENTIFIED_BY_TOKEN.has(id),
    fields: listEndpointFields(id, endpoint),
    example: buildExampleDoc(endpoint, CALL_EXAMPLES[id]),
    errors: buildErrorDocs(id, endpoint),
    tryable: isTryable(endpoint),
  }))
  return cachedEndpointDocs
}

/** Events that a webhook can subscribe to, read from the event catalogue. */
export const buildEventDocs = () =>
  WEBHOOK_EVENTS.map((name) => ({
    name,
    label: EVENTS[name].label,
    fields: eventFields(name),
    sample: EVENTS[name].sample,
  }))
