import { RoleRef } from '@voisol/contract/roles'
import type { SsoConnection } from '@voisol/contract/sso'
import { and, asc, count, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { ssoConnections, ssoDomains, ssoPeople, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { toCertificateView } from './certificates.ts'
import { buildVerificationRecord, getTrustedUntil } from './domains.ts'
import { getServiceUrls } from './given.ts'
import { findSsoConnection, getSsoRoleRules, type SsoConnectionRow, ssoScope } from './scope.ts'

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
