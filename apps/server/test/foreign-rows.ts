import type { ReferencedIds, ReferenceKind } from './foreign-things.ts'

export type ForeignBody = { params?: Record<string, string>; body: unknown; own?: number | null }

/** A placeholder for the id of such an object. */
export const refTo = (kind: ReferenceKind) => `‹${kind}›`
const REF_PATTERN = /‹(\w+)›/g

/** The row with its placeholders filled with own ids, except the one at index `foreign`. */
export function fillRefs(
  body: unknown,
  own: ReferencedIds,
  theirs: ReferencedIds,
  foreign = -1,
): { body: unknown; sent: string } {
  let at = 0
  let sent = ''
  const text = JSON.stringify(body).replace(REF_PATTERN, (_, kind: ReferenceKind) => {
    if (at++ !== foreign) return own[kind]
    sent = theirs[kind]
    return sent
  })
  return { body: JSON.parse(text), sent }
}

export const countRefs = (body: unknown) => JSON.stringify(body).match(REF_PATTERN)?.length ?? 0

/** Paths of the placeholders in a row: `shares.pointId` whatever the index in the list. */
export function listRefPaths(value: unknown, path = ''): string[] {
  if (typeof value === 'string') return value.match(/^‹\w+›$/) ? [path] : []
  if (Array.isArray(value)) return value.flatMap((one) => listRefPaths(one, path))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => listRefPaths(one, path ? `${path}.${key}` : key))
}

/** The parts of a zod schema that are traversed. */
type SchemaNode = { _zod: { def: SchemaDefinition } }
type SchemaDefinition = {
  type: string
  format?: string
  shape?: Record<string, SchemaNode>
  element?: SchemaNode
  innerType?: SchemaNode
  options?: SchemaNode[]
  in?: SchemaNode
  valueType?: SchemaNode
}

/** Paths of ids in the schema of a body, in the same notation. */
export function listUuidPaths(schema: unknown, path = ''): string[] {
  const { def } = (schema as SchemaNode)._zod // each schema of the contract is one
  const { shape, element, innerType, options, in: before, valueType } = def
  if (def.type === 'string') return def.format === 'uuid' ? [path] : []
  const parts = [element, innerType, before, valueType, ...(options ?? [])].flatMap((one) => one ?? [])
  const fields = Object.entries(shape ?? {})
  return [
    ...fields.flatMap(([key, one]) => listUuidPaths(one, path ? `${path}.${key}` : key)),
    ...parts.flatMap((one) => listUuidPaths(one, path)),
  ]
}
