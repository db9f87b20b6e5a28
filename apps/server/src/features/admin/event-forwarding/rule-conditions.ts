import { EVENTS, type EventName } from '@voisol/contract/events'
import type { Comparison, Condition, EventField, PickedField } from '@voisol/contract/flow-rules'
import { type JsonSchema, toJsonSchema } from '../../../http/openapi.ts'

const parseFrenchNumber = (text: string) => Number(text.replace(/[\s\u00a0\u202f]/g, '').replace(',', '.'))

const isSameValue = (value: unknown, text: string) =>
  typeof value === 'number' ? value === parseFrenchNumber(text) : String(value) === text
const includesText = (value: unknown, text: string) =>
  Array.isArray(value)
    ? value.some((one) => isSameValue(one, text))
    : String(value).toLocaleLowerCase('fr').includes(text.toLocaleLowerCase('fr'))

const COMPARATORS: Record<Comparison, (value: unknown, values: string[]) => boolean> = {
  equals: (value, [text = '']) => isSameValue(value, text),
  contains: (value, [text = '']) => includesText(value, text),
  // ISO days and instants sort correctly as text.
  greater: (value, [text = '']) => (typeof value === 'number' ? value > parseFrenchNumber(text) : String(value) > text),
  among: (value, values) =>
    values.some((text) =>
      Array.isArray(value) ? value.some((one) => isSameValue(one, text)) : isSameValue(value, text),
    ),
}

/** A missing field matches no condition. */
const isMet = ({ field, is, values }: Condition, data: unknown): boolean => {
  const value = getValueAt(data, field)
  return value !== undefined && value !== null && COMPARATORS[is](value, values)
}

/** The first condition that does not hold; undefined when all hold. */
export const findUnmetCondition = (conditions: readonly Condition[], data: unknown): Condition | undefined =>
  conditions.find((condition) => !isMet(condition, data))

/** The picked fields under their new names; the whole object when none is picked. */
export function pickFields(fields: readonly PickedField[], data: object): Record<string, unknown> {
  if (fields.length === 0) return { ...data }
  return Object.fromEntries(fields.map(({ from, to }) => [to, getValueAt(data, from) ?? null]))
}

const COMPARISON_LABELS: Record<Comparison, string> = {
  equals: 'est égal à',
  contains: 'contient',
  greater: 'est plus grand que',
  among: 'est parmi',
}
export const describeCondition = ({ field, is, values }: Condition) =>
  `${field} ${COMPARISON_LABELS[is]} ${values.join(', ')}`

/** Why a condition is invalid, as a sentence; undefined when it is valid. */
export function findConditionFault({ field, is, values }: Condition, fields: EventField[]): string | undefined {
  const known = fields.find(({ path }) => path === field)
  if (!known) return `Le champ «\u00a0${field}\u00a0» n’est pas dans cet événement\u00a0: choisissez-en un de la liste.`
  if (!known.compared)
    return `Le champ «\u00a0${field}\u00a0» est une liste d’objets\u00a0: il s’envoie, et ne se compare pas.`
  if (is !== 'among' && values.length > 1)
    return 'Une seule valeur est attendue\u00a0: prenez «\u00a0est parmi\u00a0» pour plusieurs.'
  if (is === 'greater' && known.type !== 'number' && known.type !== 'text')
    return `Le champ «\u00a0${field}\u00a0» ne se range pas\u00a0: prenez «\u00a0est égal à\u00a0».`
  if (known.type === 'number' && is !== 'contains' && values.some((text) => !Number.isFinite(parseFrenchNumber(text))))
    return `Un nombre est attendu pour «\u00a0${field}\u00a0», par exemple 1250.`
  if (known.type === 'boolean' && values.some((text) => text !== 'true' && text !== 'false'))
    return `«\u00a0${field}\u00a0» vaut true ou false.`
  return undefined
}

type SchemaNode = {
  type?: string | string[]
  properties?: Record<string, SchemaNode>
  items?: SchemaNode
  anyOf?: SchemaNode[]
  enum?: unknown[]
}

/** The schema of a nullable field without its `null`. */
const unwrapNullable = (node: SchemaNode): SchemaNode => node.anyOf?.find(({ type }) => type !== 'null') ?? node
const getType = ({ type }: SchemaNode) => (Array.isArray(type) ? type.find((one) => one !== 'null') : type)
const isNumber = (type: string | undefined) => type === 'number' || type === 'integer'

function listSchemaFields(node: SchemaNode, path: string): EventField[] {
  const own = unwrapNullable(node)
  const type = getType(own)
  if (own.properties)
    return Object.entries(own.properties).flatMap(([key, part]) =>
      listSchemaFields(part, path ? `${path}.${key}` : key),
    )
  if (type === 'array') {
    const compared = !['object', 'array'].includes(getType(unwrapNullable(own.items ?? {})) ?? '')
    return [{ path, type: 'list', compared }]
  }
  return [{ path, type: isNumber(type) ? 'number' : type === 'boolean' ? 'boolean' : 'text', compared: true }]
}

const fieldsByEvent = new Map<EventName, EventField[]>()

/** The fields of an event, from its schema: rules can use no other fields. */
export function getEventFields(name: EventName): EventField[] {
  const found =
    fieldsByEvent.get(name) ??
    listSchemaFields(toJsonSchema(EVENTS[name].data, 'output') satisfies JsonSchema as SchemaNode, '') // JSON Schema
  fieldsByEvent.set(name, found)
  return found
}

/** The value at a path; undefined when a part of the path is missing. */
export function getValueAt(data: unknown, path: string): unknown {
  let value = data
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return value
}
