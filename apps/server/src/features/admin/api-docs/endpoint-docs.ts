import type { DocEndpoint } from '@voisol/contract/api-docs'
import { type Endpoint, isRepeatable } from '@voisol/contract/endpoint'
import { ERRORS, type ErrorCode } from '@voisol/contract/errors'
import { EVENTS } from '@voisol/contract/events'
import { WEBHOOK_EVENTS } from '@voisol/contract/webhooks'
import { z } from 'zod'
import { describeAccess } from '../../../http/openapi.ts'
import { getEventFields as eventFields } from '../event-forwarding/index.ts'
import { CALL_EXAMPLES, type CallExample, type DocumentedCallId, documentedEndpoints } from './call-examples.ts'
import { describeField } from './field-descriptions.ts'

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

type Field = DocEndpoint['fields'][number]
type Schema = z.core.JSONSchema.JSONSchema & { prefixItems?: Schema[] }
type TypeLabel = { one: string; many: string }

const toTypeLabel = (one: string, many: string): TypeLabel => ({ one, many })
const FORMAT_LABELS: Record<string, TypeLabel> = {
  uuid: toTypeLabel('identifiant', 'd’identifiants'),
  date: toTypeLabel('date', 'de dates'),
  'date-time': toTypeLabel('date et heure', 'de dates et heures'),
  email: toTypeLabel('adresse e-mail', 'd’adresses e-mail'),
  uri: toTypeLabel('adresse web', 'd’adresses web'),
}
const TYPE_LABELS: Record<string, TypeLabel> = {
  string: toTypeLabel('texte', 'de textes'),
  integer: toTypeLabel('nombre entier', 'de nombres entiers'),
  number: toTypeLabel('nombre', 'de nombres'),
  boolean: toTypeLabel('booléen', 'de booléens'),
  object: toTypeLabel('objet', 'd’objets'),
}
const TEXT_LABEL = toTypeLabel('texte', 'de textes')

const toSchema = (value: unknown): Schema => (typeof value === 'object' && value !== null ? (value as Schema) : {}) // a JSON Schema or `true`
const listChoices = (schema: Schema): Schema[] => (schema.anyOf ?? schema.oneOf ?? []).map(toSchema)
const isNull = ({ type }: Schema) => type === 'null'

/** Removes the `null` alternative of a schema and says whether there was one. */
function removeNull(schema: Schema): { schema: Schema; nullable: boolean } {
  if (Array.isArray(schema.type)) {
    const [type] = schema.type.filter((one) => one !== 'null')
    return { schema: { ...schema, type } as Schema, nullable: schema.type.includes('null') } // one type is left
  }
  const choices = listChoices(schema)
  if (!choices.length) return { schema, nullable: false }
  const real = choices.filter((choice) => !isNull(choice) && choice.const !== '')
  const nullable = choices.some(isNull)
  if (real.length === 1 && real[0]) return { schema: real[0], nullable }
  return { schema: { anyOf: real } as Schema, nullable }
}

const formatValues = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(', ')

function describeType(schema: Schema): TypeLabel {
  const choices = listChoices(schema)
  const constants = choices.flatMap((choice) => (choice.const === undefined ? (choice.enum ?? []) : [choice.const]))
  if (constants.length === choices.length && constants.length) return toTypeLabel(formatValues(constants), 'de valeurs')
  if (choices.length) {
    const names = [...new Set(choices.map((choice) => describeType(choice).one))]
    return toTypeLabel(names.join(' ou '), 'de valeurs')
  }
  if (schema.const !== undefined) return toTypeLabel(formatValues([schema.const]), 'de valeurs')
  if (schema.enum)
    return toTypeLabel(`texte\u00a0: ${schema.enum.join(', ')}`, `de textes\u00a0: ${schema.enum.join(', ')}`)
  if (schema.type === 'array')
    return toTypeLabel(`liste ${describeItemType(schema).many}`, `de listes ${describeItemType(schema).many}`)
  if (schema.format) return FORMAT_LABELS[schema.format] ?? TEXT_LABEL
  return TYPE_LABELS[String(schema.type)] ?? TEXT_LABEL
}

function describeItemType(schema: Schema): TypeLabel {
  const { schema: item, nullable } = removeNull(toSchema(schema.prefixItems?.[0] ?? schema.items))
  const { one, many } = describeType(item)
  return nullable ? toTypeLabel(one, `${many} ou null`) : toTypeLabel(one, many)
}

function formatTypeName(schema: Schema): string {
  const { schema: real, nullable } = removeNull(schema)
  return `${describeType(real).one}${nullable ? ' ou null' : ''}`
}

/** The object schema whose fields are listed below a field: its own, or that of its array items. */
function findNestedObject(schema: Schema): { schema: Schema; mark: string } | undefined {
  const { schema: real } = removeNull(schema)
  if (real.type === 'object' && real.properties) return { schema: real, mark: '' }
  if (real.type !== 'array') return undefined
  const { schema: item } = removeNull(toSchema(real.items))
  return item.type === 'object' ? { schema: item, mark: '[]' } : undefined
}

/** The endpoint a field belongs to, the part of the request or response, and the parent field. */
type FieldContext = { id: string; place: Field['place']; prefix: string }

function listFields(schema: Schema, { id, place, prefix }: FieldContext): Field[] {
  const seen = new Map<string, string>()
  return Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
    const part = toSchema(value)
    const full = `${prefix}${name}`
    const inner = findNestedObject(part)
    const shape = inner ? JSON.stringify(inner.schema) : ''
    const sameShapeAs = seen.get(shape)
    if (inner && sameShapeAs === undefined) seen.set(shape, name)
    const defaultNote =
      part.default === undefined || part.default === null ? '' : ` Par défaut\u00a0: ${JSON.stringify(part.default)}.`
    const field: Field = {
      name: full,
      place,
      type: formatTypeName(part),
      required: place === 'path' || (schema.required ?? []).includes(name),
      description:
        (part.description ?? describeField(id, place, full) ?? '') +
        defaultNote +
        (sameShapeAs === undefined ? '' : ` Mêmes champs que ${sameShapeAs}.`),
    }
    if (!inner || sameShapeAs !== undefined) return [field]
    return [field, ...listFields(inner.schema, { id, place, prefix: `${full}${inner.mark}.` })]
  })
}

function listFieldsOfPart(id: string, schema: unknown, place: Field['place']): Field[] {
  if (!(schema instanceof z.ZodType)) return []
  const io = place === 'response' ? 'output' : 'input'
  return listFields(toSchema(z.toJSONSchema(schema, { io, unrepresentable: 'any' })), {
    id,
    place,
    prefix: '',
  })
}

/** Every field of an endpoint, read from its validation schemas. */
const listEndpointFields = (id: string, e: Endpoint): Field[] => [
  ...listFieldsOfPart(id, e.params, 'path'),
  ...listFieldsOfPart(id, e.query, 'query'),
  ...listFieldsOfPart(id, e.body, 'body'),
  ...listFieldsOfPart(id, e.response, 'response'),
]
