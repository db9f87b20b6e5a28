import { and, asc, count, eq, inArray, isNotNull, ne, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { memberships, ssoPeople, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { endResetLinks, findByEmail } from '../auth/auth.ts'
import { disableUser, enableUser } from '../users/users.ts'
import { provedDomains } from './domains.ts'
import { ScimError } from './scim-errors.ts'
import { addressOf, type Change, movedTo, readFilter, readNumber } from './scim-read.ts'
import { listOf, USER_SCHEMA } from './scim-schemas.ts'
import type { Connection } from './scope.ts'
import { makeAccount, requireOwnDomain, roleFor } from './settle.ts'

/** Who asks: the directory of a connection, in its company's name. */
export type Directory = { connection: Connection; actor: Actor; origin: string }

const VIEW = {
  id: users.id,
  email: users.email,
  firstName: users.firstName,
  lastName: users.lastName,
  externalId: ssoPeople.externalId,
  active: sql<boolean>`${memberships.disabledAt} is null`,
  createdAt: memberships.createdAt,
  changedAt: sql<Date>`greatest(${ssoPeople.changedAt}, ${memberships.createdAt})`.mapWith(memberships.createdAt),
}
const linked = ({ companyId, id }: Connection) =>
  and(eq(ssoPeople.companyId, companyId), eq(ssoPeople.connectionId, id), eq(ssoPeople.userId, memberships.userId))

/** The members with an address of a domain of the connection: a directory sees and changes no others. */
async function scopeOf(db: Db, { connection }: Directory): Promise<SQL | undefined> {
  const domains = await provedDomains(db, connection)
  const own = domains.length ? inArray(sql`lower(split_part(${users.email}, '@', 2))`, domains) : sql`false`
  return and(eq(memberships.companyId, connection.companyId), own)
}

const read = (db: Db, connection: Connection, where: SQL | undefined) =>
  db
    .select(VIEW)
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .leftJoin(ssoPeople, linked(connection))
    .where(where)
    .orderBy(asc(memberships.createdAt), asc(users.id))
type Row = Awaited<ReturnType<typeof read>>[number]

const toResource = (origin: string, row: Row) => ({
  schemas: [USER_SCHEMA],
  id: row.id,
  ...(row.externalId !== null && { externalId: row.externalId }),
  userName: row.email,
  name: { givenName: row.firstName, familyName: row.lastName, formatted: `${row.firstName} ${row.lastName}`.trim() },
  displayName: `${row.firstName} ${row.lastName}`.trim(),
  emails: [{ value: row.email, type: 'work', primary: true }],
  active: row.active,
  meta: {
    resourceType: 'User',
    created: row.createdAt.toISOString(),
    lastModified: row.changedAt.toISOString(),
    location: `${origin}/scim/v2/Users/${row.id}`,
  },
})

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

async function find(db: Db, directory: Directory, id: string): Promise<Row> {
  const [row] = UUID.test(id)
    ? await read(db, directory.connection, and(await scopeOf(db, directory), eq(users.id, id)))
    : []
  if (!row) throw new ScimError(404, 'Cette personne n’est pas dans cet annuaire.')
  return row
}

/** Those of the ids that are people of this directory. */
export async function ownPeople(db: Db, directory: Directory, ids: string[]): Promise<string[]> {
  const known = ids.filter((id) => UUID.test(id)).map((id) => id.toLowerCase())
  if (!known.length) return []
  const rows = await read(db, directory.connection, and(await scopeOf(db, directory), inArray(users.id, known)))
  return rows.map(({ id }) => id)
}

export const getPerson = async (db: Db, directory: Directory, id: string) =>
  toResource(directory.origin, await find(db, directory, id))

function filtered(filter: string | undefined): SQL | undefined {
  if (!filter) return undefined
  const { by, value } = readFilter(filter)
  if (by === 'externalId') return eq(ssoPeople.externalId, value)
  if (by === 'id') return sql`${users.id}::text = ${value.toLowerCase()}`
  return sql`lower(${users.email}) = ${value.toLowerCase()}`
}

const MAX_PAGE = 200

/** Which of them are asked for, as RFC 7644 counts: from one. What is below one is one, and a negative count is none. */
export const pageOf = (query: Record<string, string | undefined>) => ({
  start: Math.max(1, readNumber(query, 'startIndex', 1)),
  size: Math.min(MAX_PAGE, Math.max(0, readNumber(query, 'count', 100))),
})

export async function listPeople(db: Db, directory: Directory, query: Record<string, string | undefined>) {
  const { connection, origin } = directory
  const where = and(await scopeOf(db, directory), filtered(query.filter))
  const { start, size } = pageOf(query)
  const rows = await read(db, connection, where)
    .limit(size)
    .offset(start - 1)
  const [sum] = await db
    .select({ n: count() })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .leftJoin(ssoPeople, linked(connection))
    .where(where)
  const resources = rows.map((row) => toResource(origin, row))
  return listOf(resources, sum?.n ?? 0, start)
}

async function keepLink(tx: Db, { connection }: Directory, userId: string, change: Change) {
  const { companyId, id: connectionId } = connection
  const more = change.externalId === undefined ? {} : { externalId: change.externalId }
  await tx
    .insert(ssoPeople)
    .values({ companyId, connectionId, userId, ...more })
    .onConflictDoUpdate({
      target: [ssoPeople.companyId, ssoPeople.connectionId, ssoPeople.userId],
      set: { ...more, changedAt: new Date() },
    })
}

const TAKEN = 'Un compte a déjà cette adresse.'

export async function addPerson(tx: Db, directory: Directory, change: Change) {
  const email = addressOf(change)
  if (!email) throw new ScimError(400, 'userName est demandé.', 'invalidValue')
  await requireOwnDomain(tx, directory.connection, email)
  if (await findByEmail(tx, email)) throw new ScimError(409, TAKEN, 'uniqueness')
  const role = roleFor(directory.connection, change.roles ?? [])
  if (!role)
    throw new ScimError(
      400,
      'Aucun rôle n’est prévu pour qui n’est dans aucun groupe\u00a0: choisissez-en un dans les réglages de la connexion.',
      'invalidValue',
    )
  const names = { firstName: change.givenName ?? email.split('@', 1)[0] ?? '', lastName: change.familyName ?? '' }
  const { id } = await makeAccount(tx, directory.connection, { email, ...names }, role)
  await keepLink(tx, directory, id, change)
  if (change.active === false) await disableUser(tx, directory.actor, id)
  return getPerson(tx, directory, id)
}

/** What another company's people rely on is not one directory's to change. */
async function requireOwnAccount(tx: Db, { connection }: Directory, userId: string) {
  const [other] = await tx
    .select({ companyId: memberships.companyId })
    .from(memberships)
    .where(
      and(
        eq(memberships.userId, userId),
        ne(memberships.companyId, connection.companyId),
        isNotNull(memberships.acceptedAt),
      ),
    )
    .limit(1)
  if (other)
    throw new ScimError(
      409,
      'Cette personne est aussi d’une autre organisation\u00a0: elle seule change son nom et son adresse.',
      'mutability',
    )
}

async function saveIdentity(tx: Db, directory: Directory, before: Row, change: Change) {
  const after = {
    email: movedTo(change) ?? before.email,
    firstName: change.givenName ?? before.firstName,
    lastName: change.familyName ?? before.lastName,
  }
  const moved = after.email !== before.email.toLowerCase()
  if (!moved && after.firstName === before.firstName && after.lastName === before.lastName) return
  await requireOwnAccount(tx, directory, before.id)
  if (moved) await requireOwnDomain(tx, directory.connection, after.email)
  if (moved && (await findByEmail(tx, after.email))) throw new ScimError(409, TAKEN, 'uniqueness')
  // They were sent to the former address, which may be somebody else's by now.
  if (moved) await endResetLinks(tx, before.id)
  await tx
    .update(users)
    .set({ ...after, version: sql`${users.version} + 1` })
    .where(eq(users.id, before.id))
}

/** Somebody who leaves loses everything at their very next call. */
export async function changePerson(tx: Db, directory: Directory, id: string, change: Change) {
  const before = await find(tx, directory, id)
  await saveIdentity(tx, directory, before, change)
  await keepLink(tx, directory, id, change)
  if (change.active === false) await disableUser(tx, directory.actor, id)
  if (change.active === true) await enableUser(tx, directory.actor, id)
  return getPerson(tx, directory, id)
}
