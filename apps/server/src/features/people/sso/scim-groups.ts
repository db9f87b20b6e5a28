import { and, asc, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { isDatabaseRefusal } from '../../../db/refusal.ts'
import { ssoGroupMembers, ssoGroups } from '../../../db/schema/index.ts'
import { applyGroupRoles } from './group-roles.ts'
import { ScimError } from './scim-errors.ts'
import { type GroupChange, parseScimGroupFilter } from './scim-read-group.ts'
import { GROUP_SCHEMA, toScimListResponse } from './scim-schemas.ts'
import { filterDirectoryPeople, parseScimPage, SCIM_ID_PATTERN, type ScimDirectory } from './scim-users.ts'

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
