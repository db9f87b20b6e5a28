import { and, asc, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { isRefusal } from '../../../db/refusal.ts'
import { ssoGroupMembers, ssoGroups } from '../../../db/schema/index.ts'
import { giveRoles } from './group-roles.ts'
import { ScimError } from './scim-errors.ts'
import { type GroupChange, readGroupFilter } from './scim-read-group.ts'
import { GROUP_SCHEMA, listOf } from './scim-schemas.ts'
import { type Directory, ownPeople, pageOf, UUID } from './scim-users.ts'

type Row = typeof ssoGroups.$inferSelect
const MOST = 500

const scopeOf = ({ connection: { companyId, id } }: Directory) =>
  and(eq(ssoGroups.companyId, companyId), eq(ssoGroups.connectionId, id))
const membersIn = ({ companyId, id }: Pick<Row, 'companyId' | 'id'>) =>
  and(eq(ssoGroupMembers.companyId, companyId), eq(ssoGroupMembers.groupId, id))

async function membersOf(db: Db, row: Pick<Row, 'companyId' | 'id'>): Promise<string[]> {
  const rows = await db.select().from(ssoGroupMembers).where(membersIn(row)).orderBy(asc(ssoGroupMembers.userId))
  return rows.map(({ userId }) => userId)
}

const toResource = (origin: string, row: Row, members?: string[]) => ({
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

async function find(db: Db, directory: Directory, id: string, lock = false): Promise<Row> {
  const asked = db
    .select()
    .from(ssoGroups)
    .where(and(scopeOf(directory), eq(ssoGroups.id, id)))
  const [row] = UUID.test(id) ? await (lock ? asked.for('update') : asked) : []
  if (!row) throw new ScimError(404, 'Ce groupe n’est pas dans cet annuaire.')
  return row
}

type Query = Record<string, string | undefined>
const withMembers = ({ excludedAttributes = '' }: Query) => !/(^|,)\s*members\s*(,|$)/i.test(excludedAttributes)

export async function getGroup(db: Db, directory: Directory, id: string, query: Query = {}) {
  const row = await find(db, directory, id)
  return toResource(directory.origin, row, withMembers(query) ? await membersOf(db, row) : undefined)
}

function filtered(filter: string | undefined): SQL | undefined {
  if (!filter) return undefined
  const { by, value } = readGroupFilter(filter)
  if (by === 'externalid') return eq(ssoGroups.externalId, value)
  if (by === 'id') return sql`${ssoGroups.id}::text = ${value.toLowerCase()}`
  return sql`lower(${ssoGroups.displayName}) = ${value.toLowerCase()}`
}

export async function listGroups(db: Db, directory: Directory, query: Query) {
  const where = and(scopeOf(directory), filtered(query.filter))
  const { start, size } = pageOf(query)
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
    resources.push(toResource(directory.origin, row, withMembers(query) ? await membersOf(db, row) : undefined))
  return listOf(resources, sum?.n ?? 0, start)
}

const twin = (error: unknown): never => {
  throw isRefusal(error, 'twin') ? new ScimError(409, 'Un groupe a déjà ce nom.', 'uniqueness') : error
}

/** Who is in the group after the change; somebody who is not of this directory is in none of its groups. */
async function setMembers(tx: Db, directory: Directory, row: Row, { members, add, remove }: GroupChange) {
  const before = await membersOf(tx, row)
  const after = new Set([...(members ?? before).filter((id) => !remove.includes(id)), ...add])
  const joined = [...after].filter((id) => !before.includes(id))
  const left = before.filter((id) => !after.has(id))
  const own = await ownPeople(tx, directory, joined)
  const stranger = joined.find((id) => !own.includes(id))
  if (stranger !== undefined)
    throw new ScimError(
      400,
      `members\u00a0: ${stranger.slice(0, 60)} n’est pas une personne de cet annuaire.`,
      'invalidValue',
    )
  const { companyId, id: groupId } = row
  if (left.length) await tx.delete(ssoGroupMembers).where(and(membersIn(row), inArray(ssoGroupMembers.userId, left)))
  if (joined.length) await tx.insert(ssoGroupMembers).values(joined.map((userId) => ({ companyId, groupId, userId })))
  return { joined, left, all: [...after] }
}

export async function addGroup(tx: Db, directory: Directory, change: GroupChange) {
  const { displayName, externalId = null } = change
  if (!displayName) throw new ScimError(400, 'displayName est demandé.', 'invalidValue')
  const { companyId, id: connectionId } = directory.connection
  const [sum] = await tx.select({ n: count() }).from(ssoGroups).where(scopeOf(directory))
  if ((sum?.n ?? 0) >= MOST) throw new ScimError(400, `${MOST} groupes au plus par connexion.`, 'invalidValue')
  const values = { companyId, connectionId, displayName, externalId }
  const [row] = await tx.insert(ssoGroups).values(values).returning().catch(twin)
  if (!row) throw new ScimError(409, 'Un groupe a déjà ce nom.', 'uniqueness')
  const { joined } = await setMembers(tx, directory, row, change)
  await giveRoles(tx, directory, [displayName], joined)
  return getGroup(tx, directory, row.id)
}

export async function changeGroup(tx: Db, directory: Directory, id: string, change: GroupChange) {
  const before = await find(tx, directory, id, true)
  const { displayName = before.displayName, externalId = before.externalId } = change
  await tx
    .update(ssoGroups)
    .set({ displayName, externalId, changedAt: new Date() })
    .where(and(scopeOf(directory), eq(ssoGroups.id, id)))
    .catch(twin)
  const { joined, left, all } = await setMembers(tx, directory, before, change)
  const renamed = displayName.toLowerCase() !== before.displayName.toLowerCase()
  // Another name may be one that a rule knows: everybody in it is looked at again.
  await giveRoles(tx, directory, [before.displayName, displayName], renamed ? [...all, ...left] : [...joined, ...left])
  return getGroup(tx, directory, id)
}

/** Gone, it gives nothing any more. */
export async function removeGroup(tx: Db, directory: Directory, id: string) {
  const row = await find(tx, directory, id, true)
  const shown = await getGroup(tx, directory, id)
  const left = await membersOf(tx, row)
  await tx.delete(ssoGroups).where(and(scopeOf(directory), eq(ssoGroups.id, id)))
  await giveRoles(tx, directory, [row.displayName], left)
  return shown
}
