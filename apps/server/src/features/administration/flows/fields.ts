import { EVENTS, type EventName } from '@voisol/contract/events'
import type { EventField } from '@voisol/contract/flow-rules'
import { type JsonSchema, toSchema } from '../../../http/json-schema.ts'

type Node = {
  type?: string | string[]
  properties?: Record<string, Node>
  items?: Node
  anyOf?: Node[]
  enum?: unknown[]
}

/** What a field holds where it holds something. */
const filled = (node: Node): Node => node.anyOf?.find(({ type }) => type !== 'null') ?? node
const typeOf = ({ type }: Node) => (Array.isArray(type) ? type.find((one) => one !== 'null') : type)
const isNumber = (type: string | undefined) => type === 'number' || type === 'integer'

function walk(node: Node, path: string): EventField[] {
  const own = filled(node)
  const type = typeOf(own)
  if (own.properties)
    return Object.entries(own.properties).flatMap(([key, part]) => walk(part, path ? `${path}.${key}` : key))
  if (type === 'array') {
    const compared = !['object', 'array'].includes(typeOf(filled(own.items ?? {})) ?? '')
    return [{ path, type: 'list', compared }]
  }
  return [{ path, type: isNumber(type) ? 'number' : type === 'boolean' ? 'boolean' : 'text', compared: true }]
}

const known = new Map<EventName, EventField[]>()

/** The fields of an event, from its own schema: nothing else of it can be named, compared or sent. */
export function fieldsOf(name: EventName): EventField[] {
  const found = known.get(name) ?? walk(toSchema(EVENTS[name].data, 'output') satisfies JsonSchema as Node, '') // JSON Schema
  known.set(name, found)
  return found
}

/** What stands there; undefined where something on the way is missing. */
export function valueAt(data: unknown, path: string): unknown {
  let value = data
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return value
}
