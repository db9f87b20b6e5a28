import { and, asc, count, eq, inArray, isNotNull, ne, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { memberships, ssoPeople, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { findAccountByEmail, invalidateResetLinks } from '../auth/index.ts'
import {
  createSsoAccount,
  getRoleForGroups,
  listProvedDomains,
  requireProvedDomain,
  type SsoConnectionRow,
} from '../sso/index.ts'
import { disableMember, enableMember } from '../users/index.ts'
import {
  getNewScimAddress,
  getScimAddress,
  parseScimUserFilter,
  ScimError,
  type ScimUserChange,
  toScimListResponse,
  USER_SCHEMA,
} from './protocol.ts'

/** Who asks: the directory of a connection, in its company's name. */
export type ScimDirectory = { connection: SsoConnectionRow; actor: Actor; origin: string }

const PERSON_COLUMNS = {
  id: users.id,
  email: users.email,
  firstName: users.firstName,
  lastName: users.lastName,
  externalId: ssoPeople.externalId,
  active: sql<boolean>`${memberships.disabledAt} is null`,
  createdAt: memberships.createdAt,
  changedAt: sql<Date>`greatest(${ssoPeople.changedAt}, ${memberships.createdAt})`.mapWith(memberships.createdAt),
}
const isLinkedTo = ({ companyId, id }: SsoConnectionRow) =>
  and(eq(ssoPeople.companyId, companyId), eq(ssoPeople.connectionId, id), eq(ssoPeople.userId, memberships.userId))

/** The members with an address of a domain of the connection: a directory sees and changes no others. */
async function loadDirectoryScope(db: Db, { connection }: ScimDirectory): Promise<SQL | undefined> {
  const domains = await listProvedDomains(db, connection)
  const own = domains.length ? inArray(sql`lower(split_part(${users.email}, '@', 2))`, domains) : sql`false`
  return and(eq(memberships.companyId, connection.companyId), own)
}

const selectPeople = (db: Db, connection: SsoConnectionRow, where: SQL | undefined) =>
  db
    .select(PERSON_COLUMNS)
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .leftJoin(ssoPeople, isLinkedTo(connection))
    .where(where)
    .orderBy(asc(memberships.createdAt), asc(users.id))
type Row = Awaited<ReturnType<typeof selectPeople>>[number]

const toUserResource = (origin: string, row: Row) => ({
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

export const SCIM_ID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

async function loadPersonRow(db: Db, directory: ScimDirectory, id: string): Promise<Row> {
  const [row] = SCIM_ID_PATTERN.test(id)
    ? await selectPeople(db, directory.connection, and(await loadDirectoryScope(db, directory), eq(users.id, id)))
    : []
  if (!row) throw new ScimError(404, 'Cette personne n’est pas dans cet annuaire.')
  return row
}

/** Those of the ids that are people of this directory. */
export async function filterDirectoryPeople(db: Db, directory: ScimDirectory, ids: string[]): Promise<string[]> {
  const known = ids.filter((id) => SCIM_ID_PATTERN.test(id)).map((id) => id.toLowerCase())
  if (!known.length) return []
  const rows = await selectPeople(
    db,
    directory.connection,
    and(await loadDirectoryScope(db, directory), inArray(users.id, known)),
  )
  return rows.map(({ id }) => id)
}

export const loadScimUser = async (db: Db, directory: ScimDirectory, id: string) =>
  toUserResource(directory.origin, await loadPersonRow(db, directory, id))

function toFilterCondition(filter: string | undefined): SQL | undefined {
  if (!filter) return undefined
  const { by, value } = parseScimUserFilter(filter)
  if (by === 'externalId') return eq(ssoPeople.externalId, value)
  if (by === 'id') return sql`${users.id}::text = ${value.toLowerCase()}`
  return sql`lower(${users.email}) = ${value.toLowerCase()}`
}

const MAX_PAGE_SIZE = 200

/** No directory has more people than nine digits count; a larger number is a mistake, and the database would not read it. */
function parseNumberParam(query: Record<string, string | undefined>, name: string, otherwise: number): number {
  const text = query[name]
  if (text === undefined) return otherwise
  if (!/^[+-]?\d{1,9}$/.test(text))
    throw new ScimError(400, `${name}\u00a0: un nombre entier est attendu.`, 'invalidValue')
  return Number(text)
}

/** Which of them are asked for, as RFC 7644 counts: from one. What is below one is one, and a negative count is none. */
export const parseScimPage = (query: Record<string, string | undefined>) => ({
  start: Math.max(1, parseNumberParam(query, 'startIndex', 1)),
  size: Math.min(MAX_PAGE_SIZE, Math.max(0, parseNumberParam(query, 'count', 100))),
})

export async function listScimUsers(db: Db, directory: ScimDirectory, query: Record<string, string | undefined>) {
  const { connection, origin } = directory
  const where = and(await loadDirectoryScope(db, directory), toFilterCondition(query.filter))
  const { start, size } = parseScimPage(query)
  const rows = await selectPeople(db, connection, where)
    .limit(size)
    .offset(start - 1)
  const [sum] = await db
    .select({ n: count() })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .leftJoin(ssoPeople, isLinkedTo(connection))
    .where(where)
  const resources = rows.map((row) => toUserResource(origin, row))
  return toScimListResponse(resources, sum?.n ?? 0, start)
}

async function storeLink(tx: Db, { connection }: ScimDirectory, userId: string, change: ScimUserChange) {
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

const ADDRESS_TAKEN_MESSAGE = 'Un compte a déjà cette adresse.'

export async function addScimUser(tx: Db, directory: ScimDirectory, change: ScimUserChange) {
  const email = getScimAddress(change)
  if (!email) throw new ScimError(400, 'userName est demandé.', 'invalidValue')
  await requireProvedDomain(tx, directory.connection, email)
  if (await findAccountByEmail(tx, email)) throw new ScimError(409, ADDRESS_TAKEN_MESSAGE, 'uniqueness')
  const role = getRoleForGroups(directory.connection, change.roles ?? [])
  if (!role)
    throw new ScimError(
      400,
      'Aucun rôle n’est prévu pour qui n’est dans aucun groupe\u00a0: choisissez-en un dans les réglages de la connexion.',
      'invalidValue',
    )
  const names = { firstName: change.givenName ?? email.split('@', 1)[0] ?? '', lastName: change.familyName ?? '' }
  const { id } = await createSsoAccount(tx, directory.connection, { email, ...names }, role)
  await storeLink(tx, directory, id, change)
  if (change.active === false) await disableMember(tx, directory.actor, id)
  return loadScimUser(tx, directory, id)
}

/** What another company's people rely on is not one directory's to change. */
async function requireOwnAccount(tx: Db, { connection }: ScimDirectory, userId: string) {
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

async function saveIdentity(tx: Db, directory: ScimDirectory, before: Row, change: ScimUserChange) {
  const after = {
    email: getNewScimAddress(change) ?? before.email,
    firstName: change.givenName ?? before.firstName,
    lastName: change.familyName ?? before.lastName,
  }
  const isMoved = after.email !== before.email.toLowerCase()
  if (!isMoved && after.firstName === before.firstName && after.lastName === before.lastName) return
  await requireOwnAccount(tx, directory, before.id)
  if (isMoved) await requireProvedDomain(tx, directory.connection, after.email)
  if (isMoved && (await findAccountByEmail(tx, after.email)))
    throw new ScimError(409, ADDRESS_TAKEN_MESSAGE, 'uniqueness')
  // They were sent to the former address, which may be somebody else's by now.
  if (isMoved) await invalidateResetLinks(tx, before.id)
  await tx
    .update(users)
    .set({ ...after, version: sql`${users.version} + 1` })
    .where(eq(users.id, before.id))
}

/** Somebody who leaves loses everything at their very next call. */
export async function changeScimUser(tx: Db, directory: ScimDirectory, id: string, change: ScimUserChange) {
  const before = await loadPersonRow(tx, directory, id)
  await saveIdentity(tx, directory, before, change)
  await storeLink(tx, directory, id, change)
  if (change.active === false) await disableMember(tx, directory.actor, id)
  if (change.active === true) await enableMember(tx, directory.actor, id)
  return loadScimUser(tx, directory, id)
}
