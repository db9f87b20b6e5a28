import { RoleRef } from '@voisol/contract/roles'
import type { SsoConnection } from '@voisol/contract/sso'
import { and, asc, count, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { lockCompany } from '../../../core/company-state.ts'
import type { Db } from '../../../db/client.ts'
import { memberships, sessions, ssoConnections, ssoDomains, ssoPeople, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { generateToken, sha256 } from '../../../secrets.ts'
import { isActiveMembership } from '../auth/index.ts'
import { toCertificateView } from './certificates.ts'
import { buildVerificationRecord, getTrustedUntil, listProvedDomains } from './domains.ts'
import {
  findSsoConnection,
  getServiceUrls,
  getSsoRoleRules,
  isSsoConnection,
  lockSsoConnection,
  requireConnectionPermissions,
  type SsoConnectionRow,
  ssoScope,
} from './sso-connection.ts'

const toIso = (instant: Date | null) => instant?.toISOString() ?? null

async function listConnectionDomains(db: Db, { companyId, id }: SsoConnectionRow) {
  const rows = await db
    .select()
    .from(ssoDomains)
    .where(and(eq(ssoDomains.companyId, companyId), eq(ssoDomains.connectionId, id)))
    .orderBy(asc(ssoDomains.domain))
  return rows.map(({ domain, token, provedAt, checkedAt, lapsedAt }) => ({
    domain,
    record: buildVerificationRecord(token),
    provedAt: toIso(provedAt),
    checkedAt: toIso(checkedAt),
    lapsedAt: toIso(lapsedAt),
    believedUntil: provedAt && lapsedAt && toIso(getTrustedUntil(lapsedAt)),
  }))
}

async function loadBreakGlass(db: Db, { breakGlassId, enforcedAt }: SsoConnectionRow) {
  if (!breakGlassId || !enforcedAt) return null
  const [user] = await db.select().from(users).where(eq(users.id, breakGlassId))
  return user ? { id: user.id, name: `${user.firstName} ${user.lastName}`, email: user.email } : null
}

async function countPeople(db: Db, { companyId, id }: SsoConnectionRow) {
  const [sum] = await db
    .select({ n: count() })
    .from(ssoPeople)
    .where(and(eq(ssoPeople.companyId, companyId), eq(ssoPeople.connectionId, id)))
  return sum?.n ?? 0
}

export async function loadConnectionView(db: Db, row: SsoConnectionRow, origin: string): Promise<SsoConnection> {
  const { id, name, issuer, clientId, secretExpiresOn, entityId, ssoUrl, responseSigned, groupClaim, version } = row
  return {
    id,
    name,
    kind: row.kind === 'saml' ? 'saml' : 'oidc',
    domains: await listConnectionDomains(db, row),
    issuer,
    clientId,
    hasSecret: row.clientSecret !== null,
    secretExpiresOn,
    entityId,
    ssoUrl,
    certificates: row.certificates.map(toCertificateView),
    certificateText: row.certificates.join('\n'),
    responseSigned,
    signsRequests: row.signingKey !== null,
    groupClaim,
    roles: getSsoRoleRules(row).map(({ group, role }) => ({ group, role: RoleRef.parse(role) })),
    defaultRole: row.defaultRole === null ? null : RoleRef.parse(row.defaultRole),
    testedAt: toIso(row.testedAt),
    activatedAt: toIso(row.activatedAt),
    enforcedAt: toIso(row.enforcedAt),
    breakGlass: await loadBreakGlass(db, row),
    scim: row.scimMadeAt && { madeAt: row.scimMadeAt.toISOString(), usedAt: toIso(row.scimUsedAt) },
    people: await countPeople(db, row),
    given: getServiceUrls(origin, row),
    version,
  }
}

export async function listSsoConnections(db: Db, actor: Actor, origin: string): Promise<SsoConnection[]> {
  const rows = await db.select().from(ssoConnections).where(ssoScope(actor)).orderBy(asc(ssoConnections.createdAt))
  const items: SsoConnection[] = []
  for (const row of rows) items.push(await loadConnectionView(db, row, origin))
  return items
}

export async function loadConnectionViewById(db: Db, actor: Actor, id: string, origin: string): Promise<SsoConnection> {
  const row = await findSsoConnection(db, actor.companyId, id)
  if (!row) throw new AppError('not-found')
  return loadConnectionView(db, row, origin)
}

const buildConflict = (message: string) => new AppError('conflict', { message })

async function updateConnectionRow(
  tx: Db,
  { companyId, id, version }: SsoConnectionRow,
  values: Partial<typeof ssoConnections.$inferInsert>,
) {
  const [row] = await tx
    .update(ssoConnections)
    .set({ ...values, version: version + 1 })
    .where(isSsoConnection({ companyId }, id))
    .returning()
  if (!row) throw new AppError('not-found')
  return row
}

/** Only what was tried, for domains that were proved. */
export async function setConnectionActive(tx: Db, actor: Actor, id: string, on: boolean) {
  const before = await lockSsoConnection(tx, actor, id)
  await requireConnectionPermissions(tx, actor, before)
  if (on && !before.testedAt)
    throw buildConflict('Essayez d’abord la connexion\u00a0: elle s’ouvre une fois l’essai réussi.')
  if (on && !(await listProvedDomains(tx, before)).length) throw buildConflict('Prouvez d’abord un domaine d’adresses.')
  if (!on && before.enforcedAt) throw buildConflict('Cette connexion est imposée\u00a0: cessez d’abord de l’imposer.')
  const after = await updateConnectionRow(tx, before, { activatedAt: on ? (before.activatedAt ?? new Date()) : null })
  if (!on) await tx.delete(sessions).where(eq(sessions.ssoConnectionId, id))
  return { before, after }
}

/** An administrator of the whole company, with a password: the one way left where the provider fails. */
async function requireBreakGlass(tx: Db, actor: Actor, userId: string | null) {
  const wrong = fieldError(
    'breakGlassId',
    'Choisissez un administrateur actif qui a un mot de passe\u00a0: il entrera si le fournisseur ne répond plus.',
  )
  if (!userId) throw wrong
  const [found] = await tx
    .select({ passwordHash: users.passwordHash })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.companyId, actor.companyId),
        eq(memberships.userId, userId),
        eq(memberships.role, 'admin'),
        isNull(memberships.operationIds),
        isActiveMembership,
      ),
    )
  if (!found?.passwordHash) throw wrong
}

/** Whoever is in by a password comes back by the provider, from the very next request; the one who decides it keeps theirs. */
async function endPasswordSessions(tx: Db, actor: Actor, domains: string[], breakGlassId: string) {
  const people = tx
    .select({ id: users.id })
    .from(users)
    .where(inArray(sql`lower(split_part(${users.email}, '@', 2))`, domains))
  await tx
    .delete(sessions)
    .where(
      and(
        eq(sessions.companyId, actor.companyId),
        isNull(sessions.ssoConnectionId),
        inArray(sessions.userId, people),
        ne(sessions.userId, breakGlassId),
        ne(sessions.id, actor.sessionId),
      ),
    )
}

export async function setConnectionEnforced(
  tx: Db,
  actor: Actor,
  id: string,
  on: boolean,
  breakGlassId: string | null,
) {
  await lockCompany(tx, actor.companyId)
  const before = await lockSsoConnection(tx, actor, id)
  await requireConnectionPermissions(tx, actor, before)
  if (!on) return { before, after: await updateConnectionRow(tx, before, { enforcedAt: null }) }
  if (!before.activatedAt)
    throw buildConflict('Ouvrez d’abord la connexion\u00a0: elle s’impose une fois qu’elle sert.')
  await requireBreakGlass(tx, actor, breakGlassId)
  const after = await updateConnectionRow(tx, before, { enforcedAt: before.enforcedAt ?? new Date(), breakGlassId })
  await endPasswordSessions(tx, actor, await listProvedDomains(tx, before), breakGlassId ?? '')
  return { before, after }
}

/** Its company stands in it, as in a key of the API; only the hash is kept. */
export async function renewScimToken(tx: Db, actor: Actor, id: string) {
  const before = await lockSsoConnection(tx, actor, id)
  await requireConnectionPermissions(tx, actor, before)
  if (!(await listProvedDomains(tx, before)).length) throw buildConflict('Prouvez d’abord un domaine d’adresses.')
  const token = `vsl_scim_${actor.companyId}_${generateToken()}`
  const row = await updateConnectionRow(tx, before, {
    scimHash: sha256(token),
    scimMadeAt: new Date(),
    scimUsedAt: null,
  })
  return { token, row }
}

export async function removeScimToken(tx: Db, actor: Actor, id: string) {
  const before = await lockSsoConnection(tx, actor, id)
  return updateConnectionRow(tx, before, { scimHash: null, scimMadeAt: null, scimUsedAt: null })
}
