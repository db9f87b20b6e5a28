import { Text } from '@voisol/contract/primitives'
import { z } from 'zod'
import { ScimError } from './scim-errors.ts'
import { ScimPatch, toScimValueError } from './scim-read.ts'

/** What a directory says of a group. `members` replaces all of them; `add` and `remove` change some, `remove` before. */
export type GroupChange = {
  displayName?: string
  externalId?: string | null
  members?: string[]
  add: string[]
  remove: string[]
}

const MAX_MEMBERS = 5000
const Members = z
  .array(z.object({ value: z.string().max(100) }).transform(({ value }) => value.toLowerCase()))
  .max(MAX_MEMBERS)
const Resource = z.object({
  displayName: Text.optional(),
  externalId: z.string().max(500).nullish(),
  members: Members.nullish(),
})

/** A whole group, of a creation or a replacement: without members it has none. */
export function parseScimGroup(body: unknown): GroupChange {
  const read = Resource.safeParse(body)
  if (!read.success) throw toScimValueError(read.error)
  const { displayName, externalId, members } = read.data
  return {
    ...(displayName !== undefined && { displayName }),
    ...(externalId !== undefined && { externalId }),
    members: members ?? [],
    add: [],
    remove: [],
  }
}

const MEMBER_PATH = /^members\[value eq "([^"]{1,100})"\]$/i
const parseMembers = (value: unknown): string[] => {
  const read = Members.safeParse(Array.isArray(value) ? value : [value])
  if (!read.success) throw toScimValueError(read.error)
  return read.data
}

type Operation = z.output<typeof ScimPatch>['Operations'][number]

function applyMemberOperation(change: GroupChange, kind: string, path: string, value: unknown): GroupChange {
  const one = MEMBER_PATH.exec(path)?.[1]?.toLowerCase()
  if (one !== undefined && kind === 'remove') return removeMembers(change, [one])
  if (!/^members$/i.test(path)) return change
  // Without a value it is the whole list that goes.
  if (kind === 'remove')
    return value === undefined
      ? { ...change, members: [], add: [], remove: [] }
      : removeMembers(change, parseMembers(value))
  if (kind === 'replace') return { ...change, members: parseMembers(value), add: [], remove: [] }
  const ids = parseMembers(value)
  return { ...change, add: [...change.add, ...ids], remove: change.remove.filter((id) => !ids.includes(id)) }
}
const removeMembers = (change: GroupChange, ids: string[]): GroupChange => ({
  ...change,
  add: change.add.filter((id) => !ids.includes(id)),
  remove: [...change.remove, ...ids],
})

/** Without a path the value names what it changes: Okta renames a group so. */
function applyOperation(change: GroupChange, { op, path, value }: Operation): GroupChange {
  const kind = op.toLowerCase()
  if (!['add', 'replace', 'remove'].includes(kind))
    throw new ScimError(400, `Opération inconnue\u00a0: «\u00a0${op}\u00a0».`, 'invalidSyntax')
  if (path === undefined) {
    if (value === null || typeof value !== 'object' || Array.isArray(value))
      throw new ScimError(400, 'Sans «\u00a0path\u00a0», la valeur est un objet.', 'invalidSyntax')
    return Object.entries(value).reduce(
      (sum, [name, part]) => applyOperation(sum, { op, path: name, value: part }),
      change,
    )
  }
  const name = path.replace(/^urn:[^ ]+:Group:/i, '')
  if (/^(displayName|externalId)$/i.test(name)) {
    const key = /^d/i.test(name) ? 'displayName' : 'externalId'
    const { members: _, add: __, remove: ___, ...fields } = parseScimGroup({ [key]: kind === 'remove' ? null : value })
    return { ...change, ...fields }
  }
  return applyMemberOperation(change, kind, name, value)
}

/** The operations of a patch, in their order. */
export function parseScimGroupPatch(body: unknown): GroupChange {
  const read = ScimPatch.safeParse(body)
  if (!read.success) throw new ScimError(400, 'Une liste «\u00a0Operations\u00a0» est attendue.', 'invalidSyntax')
  return read.data.Operations.reduce(applyOperation, { add: [], remove: [] })
}

const FILTER_PATTERN = /^\s*(displayName|externalId|id)\s+eq\s+"((?:[^"\\]|\\.)*)"\s*$/i

export function parseScimGroupFilter(filter: string): { by: 'displayname' | 'externalid' | 'id'; value: string } {
  const [, name = '', written = ''] = FILTER_PATTERN.exec(filter) ?? []
  if (!name) throw new ScimError(400, 'Filtres acceptés\u00a0: displayName eq "…", externalId eq "…".', 'invalidFilter')
  const by = name.toLowerCase()
  return { by: by === 'displayname' || by === 'externalid' ? by : 'id', value: written.replace(/\\(.)/g, '$1') }
}
