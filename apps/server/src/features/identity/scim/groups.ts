import { Text } from '@voisol/contract/primitives'
import { and, asc, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { isDatabaseRefusal } from '../../../db/database-errors.ts'
import { ssoGroupMembers, ssoGroups } from '../../../db/schema/index.ts'
import { getRoleForGroups, getSsoRoleRules } from '../sso/index.ts'
import { disableMember, loadUser, updateUser } from '../users/index.ts'
import { GROUP_SCHEMA, ScimError, ScimPatch, toScimListResponse, toScimValueError } from './protocol.ts'
import { filterDirectoryPeople, parseScimPage, SCIM_ID_PATTERN, type ScimDirectory } from './users.ts'

type Row = typeof ssoGroups.$inferSelect
const MAX_GROUPS = 500

const isGroupOfDirectory = ({ connection: { companyId, id } }: ScimDirectory) =>
  and(eq(ssoGroups.companyId, companyId), eq(ssoGroups.connectionId, id))
const isMemberOf = ({ companyId, id }: Pick<Row, 'companyId' | 'id'>) =>
  and(eq(ssoGroupMembers.companyId, companyId), eq(ssoGroupMembers.groupId, id))

async function listMemberIds(db: Db, row: Pick<Row, 'companyId' | 'id'>): Promise<string[]> {
  const rows = await db.select().from(ssoGroupMembers).where(isMemberOf(row)).orderBy(asc(ssoGroupMembers.userId))
  return rows.map(({ userId }) => userId)
}

const toGroupResource = (origin: string, row: Row, members?: string[]) => ({
  schemas: [GROUP_SCHEMA],
  id: row.id,
  ...(row.externalId !== null && { externalId: row.externalId }),
  displayName: row.displayName,
  ...(members && {
    members: members.map((value) => ({ value, $ref: `${origin}/scim/v2/Users/${value}`, type: 'User' })),
  }),
  meta: {
    resourceType: 'Group',
    created: row.createdAt.toISOString(),
    lastModified: row.changedAt.toISOString(),
    location: `${origin}/scim/v2/Groups/${row.id}`,
  },
})

async function loadGroupRow(db: Db, directory: ScimDirectory, id: string, lock = false): Promise<Row> {
  const query = db
    .select()
    .from(ssoGroups)
    .where(and(isGroupOfDirectory(directory), eq(ssoGroups.id, id)))
  const [row] = SCIM_ID_PATTERN.test(id) ? await (lock ? query.for('update') : query) : []
  if (!row) throw new ScimError(404, 'Ce groupe n’est pas dans cet annuaire.')
  return row
}

type Query = Record<string, string | undefined>
const wantsMembers = ({ excludedAttributes = '' }: Query) => !/(^|,)\s*members\s*(,|$)/i.test(excludedAttributes)

export async function loadScimGroup(db: Db, directory: ScimDirectory, id: string, query: Query = {}) {
  const row = await loadGroupRow(db, directory, id)
  return toGroupResource(directory.origin, row, wantsMembers(query) ? await listMemberIds(db, row) : undefined)
}

function toFilterCondition(filter: string | undefined): SQL | undefined {
  if (!filter) return undefined
  const { by, value } = parseScimGroupFilter(filter)
  if (by === 'externalid') return eq(ssoGroups.externalId, value)
  if (by === 'id') return sql`${ssoGroups.id}::text = ${value.toLowerCase()}`
  return sql`lower(${ssoGroups.displayName}) = ${value.toLowerCase()}`
}

export async function listScimGroups(db: Db, directory: ScimDirectory, query: Query) {
  const where = and(isGroupOfDirectory(directory), toFilterCondition(query.filter))
  const { start, size } = parseScimPage(query)
  const rows = await db
    .select()
    .from(ssoGroups)
    .where(where)
    .orderBy(asc(ssoGroups.createdAt), asc(ssoGroups.id))
    .limit(size)
    .offset(start - 1)
  const [sum] = await db.select({ n: count() }).from(ssoGroups).where(where)
  const resources = []
  for (const row of rows)
    resources.push(
      toGroupResource(directory.origin, row, wantsMembers(query) ? await listMemberIds(db, row) : undefined),
    )
  return toScimListResponse(resources, sum?.n ?? 0, start)
}

const rethrowDuplicate = (error: unknown): never => {
  throw isDatabaseRefusal(error, 'twin') ? new ScimError(409, 'Un groupe a déjà ce nom.', 'uniqueness') : error
}

/** Who is in the group after the change; somebody who is not of this directory is in none of its groups. */
async function setMembers(tx: Db, directory: ScimDirectory, row: Row, { members, add, remove }: GroupChange) {
  const before = await listMemberIds(tx, row)
  const after = new Set([...(members ?? before).filter((id) => !remove.includes(id)), ...add])
  const joined = [...after].filter((id) => !before.includes(id))
  const left = before.filter((id) => !after.has(id))
  const own = await filterDirectoryPeople(tx, directory, joined)
  const stranger = joined.find((id) => !own.includes(id))
  if (stranger !== undefined)
    throw new ScimError(
      400,
      `members\u00a0: ${stranger.slice(0, 60)} n’est pas une personne de cet annuaire.`,
      'invalidValue',
    )
  const { companyId, id: groupId } = row
  if (left.length) await tx.delete(ssoGroupMembers).where(and(isMemberOf(row), inArray(ssoGroupMembers.userId, left)))
  if (joined.length) await tx.insert(ssoGroupMembers).values(joined.map((userId) => ({ companyId, groupId, userId })))
  return { joined, left, all: [...after] }
}

export async function addScimGroup(tx: Db, directory: ScimDirectory, change: GroupChange) {
  const { displayName, externalId = null } = change
  if (!displayName) throw new ScimError(400, 'displayName est demandé.', 'invalidValue')
  const { companyId, id: connectionId } = directory.connection
  const [sum] = await tx.select({ n: count() }).from(ssoGroups).where(isGroupOfDirectory(directory))
  if ((sum?.n ?? 0) >= MAX_GROUPS)
    throw new ScimError(400, `${MAX_GROUPS} groupes au plus par connexion.`, 'invalidValue')
  const values = { companyId, connectionId, displayName, externalId }
  const [row] = await tx.insert(ssoGroups).values(values).returning().catch(rethrowDuplicate)
  if (!row) throw new ScimError(409, 'Un groupe a déjà ce nom.', 'uniqueness')
  const { joined } = await setMembers(tx, directory, row, change)
  await applyGroupRoles(tx, directory, [displayName], joined)
  return loadScimGroup(tx, directory, row.id)
}

export async function changeScimGroup(tx: Db, directory: ScimDirectory, id: string, change: GroupChange) {
  const before = await loadGroupRow(tx, directory, id, true)
  const { displayName = before.displayName, externalId = before.externalId } = change
  await tx
    .update(ssoGroups)
    .set({ displayName, externalId, changedAt: new Date() })
    .where(and(isGroupOfDirectory(directory), eq(ssoGroups.id, id)))
    .catch(rethrowDuplicate)
  const { joined, left, all } = await setMembers(tx, directory, before, change)
  const renamed = displayName.toLowerCase() !== before.displayName.toLowerCase()
  // Another name may be one that a rule knows: everybody in it is looked at again.
  await applyGroupRoles(
    tx,
    directory,
    [before.displayName, displayName],
    renamed ? [...all, ...left] : [...joined, ...left],
  )
  return loadScimGroup(tx, directory, id)
}

/** Gone, it gives nothing any more. */
export async function removeScimGroup(tx: Db, directory: ScimDirectory, id: string) {
  const row = await loadGroupRow(tx, directory, id, true)
  const shown = await loadScimGroup(tx, directory, id)
  const left = await listMemberIds(tx, row)
  await tx.delete(ssoGroups).where(and(isGroupOfDirectory(directory), eq(ssoGroups.id, id)))
  await applyGroupRoles(tx, directory, [row.displayName], left)
  return shown
}

/** What a directory says of a group. `members` replaces all of them; `add` and `remove` change some, `remove` before. */
type GroupChange = {
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

function parseScimGroupFilter(filter: string): { by: 'displayname' | 'externalid' | 'id'; value: string } {
  const [, name = '', written = ''] = FILTER_PATTERN.exec(filter) ?? []
  if (!name) throw new ScimError(400, 'Filtres acceptés\u00a0: displayName eq "…", externalId eq "…".', 'invalidFilter')
  const by = name.toLowerCase()
  return { by: by === 'displayname' || by === 'externalid' ? by : 'id', value: written.replace(/\\(.)/g, '$1') }
}

async function listGroupNames(
  tx: Db,
  { connection: { companyId, id } }: ScimDirectory,
  userId: string,
): Promise<string[]> {
  const rows = await tx
    .select({ name: ssoGroups.displayName })
    .from(ssoGroupMembers)
    .innerJoin(
      ssoGroups,
      and(eq(ssoGroups.companyId, ssoGroupMembers.companyId), eq(ssoGroups.id, ssoGroupMembers.groupId)),
    )
    .where(and(eq(ssoGroups.companyId, companyId), eq(ssoGroups.connectionId, id), eq(ssoGroupMembers.userId, userId)))
  return rows.map(({ name }) => name)
}

/**
 * Who joined or left a group that a rule of the connection names has the role that their groups give now. With none left
 * they have the role of whoever is in no group, and where there is none such they are shut out: a right that a group gave
 * does not outlive it. Groups that no rule names change nothing.
 */
async function applyGroupRoles(tx: Db, directory: ScimDirectory, groups: string[], people: string[]): Promise<void> {
  const { connection, actor } = directory
  const rules = getSsoRoleRules(connection).map(({ group }) => group.toLowerCase())
  if (!groups.some((name) => rules.includes(name.toLowerCase()))) return
  for (const id of [...new Set(people)].sort()) {
    const role = getRoleForGroups(connection, await listGroupNames(tx, directory, id))
    const user = await loadUser(tx, actor, id)
    if (role === null) {
      await disableMember(tx, actor, id)
      continue
    }
    if (user.role === role) continue
    const { firstName, lastName, phone, operationIds, version } = user
    await updateUser(tx, actor, id, { firstName, lastName, phone, operationIds, version, role })
  }
}
