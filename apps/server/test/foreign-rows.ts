import type { Kind, Things } from './foreign-things.ts'

export type Foreign = { params?: Record<string, string>; body: unknown; own?: number | null }

/** Where the id of such a thing stands in a row. */
export const ref = (kind: Kind) => `‹${kind}›`
const REF = /‹(\w+)›/g

/** A row with ids in their places: one's own, but for the one at `foreign`, counted through the body. */
export function filled(body: unknown, own: Things, theirs: Things, foreign = -1): { body: unknown; sent: string } {
  let at = 0
  let sent = ''
  const text = JSON.stringify(body).replace(REF, (_, kind: Kind) => {
    if (at++ !== foreign) return own[kind]
    sent = theirs[kind]
    return sent
  })
  return { body: JSON.parse(text), sent }
}

export const refsIn = (body: unknown) => JSON.stringify(body).match(REF)?.length ?? 0

/** Where the ids of a row stand: `shares.pointId` whatever the place in the list. */
export function placesOf(value: unknown, path = ''): string[] {
  if (typeof value === 'string') return value.match(/^‹\w+›$/) ? [path] : []
  if (Array.isArray(value)) return value.flatMap((one) => placesOf(one, path))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => placesOf(one, path ? `${path}.${key}` : key))
}

/** What the walk needs to know of a zod schema. */
type Node = { _zod: { def: Def } }
type Def = {
  type: string
  format?: string
  shape?: Record<string, Node>
  element?: Node
  innerType?: Node
  options?: Node[]
  in?: Node
  valueType?: Node
}

/** Where a body takes ids, in the same words. */
export function idPlaces(schema: unknown, path = ''): string[] {
  const { def } = (schema as Node)._zod // each schema of the contract is one
  const { shape, element, innerType, options, in: before, valueType } = def
  if (def.type === 'string') return def.format === 'uuid' ? [path] : []
  const parts = [element, innerType, before, valueType, ...(options ?? [])].flatMap((one) => one ?? [])
  const fields = Object.entries(shape ?? {})
  return [
    ...fields.flatMap(([key, one]) => idPlaces(one, path ? `${path}.${key}` : key)),
    ...parts.flatMap((one) => idPlaces(one, path)),
  ]
}
