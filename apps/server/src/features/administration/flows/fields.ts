import { EVENTS, type EventName } from '@voisol/contract/events'
import type { EventField } from '@voisol/contract/flow-rules'
import { type JsonSchema, toJsonSchema } from '../../../http/json-schema.ts'

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
