import { isPermission, type Permission } from '@voisol/contract/permissions'
import { BuiltInRole, ROLES } from '@voisol/contract/roles'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { companies, memberships, roles, ssoConnections, ssoDomains, users } from '../../../db/schema/index.ts'
import { type Actor, computePermissions, type PersonRow } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireGrantablePermissions } from '../roles/index.ts'
import { requireCompanyRole } from '../users/index.ts'

export type SsoConnectionRow = typeof ssoConnections.$inferSelect
type SsoRoleRule = { group: string; role: string }

/** The connections of the actor's company. */
export const ssoScope = (actor: Pick<Actor, 'companyId'>) => eq(ssoConnections.companyId, actor.companyId)

export const isSsoConnection = (actor: Pick<Actor, 'companyId'>, id: string) =>
  and(ssoScope(actor), eq(ssoConnections.id, id))

/** The connection, held until the caller's transaction ends. */
export async function lockSsoConnection(
  tx: Db,
  actor: Pick<Actor, 'companyId'>,
  id: string,
): Promise<SsoConnectionRow> {
  const [row] = await tx.select().from(ssoConnections).where(isSsoConnection(actor, id)).for('update')
  if (!row) throw new AppError('not-found')
  return row
}

export async function findSsoConnection(db: Db, companyId: number, id: string): Promise<SsoConnectionRow | undefined> {
  const [row] = await db.select().from(ssoConnections).where(isSsoConnection({ companyId }, id))
  return row
}

/** Where the secrets of a connection are sealed: a copy in another row does not open. */
export const getSsoSealContext = ({ companyId, id }: Pick<SsoConnectionRow, 'companyId' | 'id'>, what: string) =>
  `sso ${what} ${companyId} ${id}`

export const getSsoRoleRules = ({ roles }: Pick<SsoConnectionRow, 'roles'>) => roles as SsoRoleRule[] // written by updateConnection alone

/** An answer of a provider that proves nothing. The sentence is for the journal and whoever sets it up; whoever signs in is told nothing of it. */
export class SsoRefusal extends Error {
  readonly code: string
  constructor(code: string, sentence: string) {
    super(sentence)
    this.code = code
  }
}

export const throwSsoRefusal = (code: string, sentence: string): never => {
  throw new SsoRefusal(code, sentence)
}

export const quoteConnectionName = ({ name }: Pick<SsoConnectionRow, 'name'>) => `«\u00a0${name}\u00a0»`
/** What somebody else wrote, as far as a sentence can hold it. */
export const quoteValue = (value: unknown) => `«\u00a0${String(value ?? '').slice(0, 120)}\u00a0»`

/** The addresses of a connection, as they are copied to its provider. Each has its own: an answer meant for one is none for another. */
export function getServiceUrls(origin: string, { companyId, id }: Pick<SsoConnectionRow, 'companyId' | 'id'>) {
  const baseUrl = `${origin}/api/sso/in/${companyId}/${id}`
  return {
    redirectUri: `${baseUrl}/callback`,
    entityId: `${baseUrl}/metadata`,
    acsUrl: `${baseUrl}/acs`,
    metadataUrl: `${baseUrl}/metadata`,
    scimUrl: `${origin}/scim/v2`,
  }
}

/** The rights of those whom a connection could let in already: the members with an address of its domains, proved or about to be. */
async function listMemberPermissions(tx: Db, { companyId, id }: SsoConnectionRow): Promise<Permission[]> {
  const domains = tx
    .select({ domain: ssoDomains.domain })
    .from(ssoDomains)
    .where(and(eq(ssoDomains.companyId, companyId), eq(ssoDomains.connectionId, id)))
  const rows = await tx
    .select({
      keepsSite: companies.keepsSite,
      roleKey: sql<PersonRow['roleKey']>`${memberships.role}`,
      ownRole: { name: roles.name, permissions: roles.permissions },
      operationIds: memberships.operationIds,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .leftJoin(roles, and(eq(roles.companyId, memberships.companyId), eq(roles.id, memberships.roleId)))
    .where(and(eq(memberships.companyId, companyId), inArray(sql`lower(split_part(${users.email}, '@', 2))`, domains)))
  return [...new Set(rows.flatMap(computePermissions))]
}

/** The rights that a sign-in gives to somebody new. */
async function listGrantedPermissions(tx: Db, actor: Actor, connection: SsoConnectionRow): Promise<Permission[]> {
  const roleIds = [...getSsoRoleRules(connection).map(({ role }) => role), connection.defaultRole].filter(
    (role) => role !== null,
  )
  const permissionLists = await Promise.all(roleIds.map((role) => loadRolePermissions(tx, actor, role)))
  return [...new Set(permissionLists.flat())]
}

async function loadRolePermissions(tx: Db, actor: Actor, role: string): Promise<readonly Permission[]> {
  const builtIn = BuiltInRole.safeParse(role)
  if (builtIn.success) return ROLES[builtIn.data].permissions
  return (await requireCompanyRole(tx, actor, role)).held.filter(isPermission)
}

/** Who decides which provider is believed decides who comes in: nobody opens by it more than they hold themselves. */
export async function requireConnectionPermissions(tx: Db, actor: Actor, connection: SsoConnectionRow): Promise<void> {
  requireGrantablePermissions(actor, await listGrantedPermissions(tx, actor, connection))
  requireGrantablePermissions(actor, await listMemberPermissions(tx, connection))
}
