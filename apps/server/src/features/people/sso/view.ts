import { RoleRef } from '@voisol/contract/roles'
import type { SsoConnection } from '@voisol/contract/sso'
import { and, asc, count, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { ssoConnections, ssoDomains, ssoPeople, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { showCertificate } from './certificates.ts'
import { believedUntil, recordOf } from './domains.ts'
import { givenBy } from './given.ts'
import { type Connection, findConnection, mappedOf, ssoScope } from './scope.ts'

const at = (instant: Date | null) => instant?.toISOString() ?? null

async function domainsOf(db: Db, { companyId, id }: Connection) {
  const rows = await db
    .select()
    .from(ssoDomains)
    .where(and(eq(ssoDomains.companyId, companyId), eq(ssoDomains.connectionId, id)))
    .orderBy(asc(ssoDomains.domain))
  return rows.map(({ domain, token, provedAt, checkedAt, lapsedAt }) => ({
    domain,
    record: recordOf(token),
    provedAt: at(provedAt),
    checkedAt: at(checkedAt),
    lapsedAt: at(lapsedAt),
    believedUntil: provedAt && lapsedAt && at(believedUntil(lapsedAt)),
  }))
}

async function breakGlassOf(db: Db, { breakGlassId, enforcedAt }: Connection) {
  if (!breakGlassId || !enforcedAt) return null
  const [user] = await db.select().from(users).where(eq(users.id, breakGlassId))
  return user ? { id: user.id, name: `${user.firstName} ${user.lastName}`, email: user.email } : null
}

async function peopleOf(db: Db, { companyId, id }: Connection) {
  const [sum] = await db
    .select({ n: count() })
    .from(ssoPeople)
    .where(and(eq(ssoPeople.companyId, companyId), eq(ssoPeople.connectionId, id)))
  return sum?.n ?? 0
}

export async function viewConnection(db: Db, row: Connection, origin: string): Promise<SsoConnection> {
  const { id, name, issuer, clientId, secretExpiresOn, entityId, ssoUrl, responseSigned, groupClaim, version } = row
  return {
    id,
    name,
    kind: row.kind === 'saml' ? 'saml' : 'oidc',
    domains: await domainsOf(db, row),
    issuer,
    clientId,
    hasSecret: row.clientSecret !== null,
    secretExpiresOn,
    entityId,
    ssoUrl,
    certificates: row.certificates.map(showCertificate),
    certificateText: row.certificates.join('\n'),
    responseSigned,
    signsRequests: row.signingKey !== null,
    groupClaim,
    roles: mappedOf(row).map(({ group, role }) => ({ group, role: RoleRef.parse(role) })),
    defaultRole: row.defaultRole === null ? null : RoleRef.parse(row.defaultRole),
    testedAt: at(row.testedAt),
    activatedAt: at(row.activatedAt),
    enforcedAt: at(row.enforcedAt),
    breakGlass: await breakGlassOf(db, row),
    scim: row.scimMadeAt && { madeAt: row.scimMadeAt.toISOString(), usedAt: at(row.scimUsedAt) },
    people: await peopleOf(db, row),
    given: givenBy(origin, row),
    version,
  }
}

export async function listConnections(db: Db, actor: Actor, origin: string): Promise<SsoConnection[]> {
  const rows = await db.select().from(ssoConnections).where(ssoScope(actor)).orderBy(asc(ssoConnections.createdAt))
  const items: SsoConnection[] = []
  for (const row of rows) items.push(await viewConnection(db, row, origin))
  return items
}

export async function shownConnection(db: Db, actor: Actor, id: string, origin: string): Promise<SsoConnection> {
  const row = await findConnection(db, actor.companyId, id)
  if (!row) throw new AppError('not-found')
  return viewConnection(db, row, origin)
}
