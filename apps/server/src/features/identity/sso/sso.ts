import type { SsoKind, SsoSettings } from '@voisol/contract/sso'
import { and, count, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { sessions, ssoAttempts, ssoConnections, ssoPeople } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { requireCompanyRole } from '../users/index.ts'
import { parseCertificates } from './certificates.ts'
import { discoverProvider } from './oidc.ts'
import { createSelfSignedCertificate } from './self-signed-certificate.ts'
import {
  getSsoSealContext,
  isSsoConnection,
  lockSsoConnection,
  requireConnectionPermissions,
  type SsoConnectionRow,
  SsoRefusal,
  ssoScope,
} from './sso-connection.ts'

type SsoSettingsInput = z.output<typeof SsoSettings>
type SsoDeps = Pick<Deps, 'secrets' | 'outside'>

const MAX_CONNECTIONS = 10
const SIGNING_YEARS = 10

export async function createSsoConnection(tx: Db, actor: Actor, { name, kind }: { name: string; kind: SsoKind }) {
  const [sum] = await tx.select({ n: count() }).from(ssoConnections).where(ssoScope(actor))
  if ((sum?.n ?? 0) >= MAX_CONNECTIONS)
    throw new AppError('conflict', {
      message: `Une organisation peut avoir ${MAX_CONNECTIONS} connexions d’entreprise au plus.`,
    })
  const [row] = await tx.insert(ssoConnections).values({ companyId: actor.companyId, name, kind }).returning()
  if (!row) throw new AppError('internal')
  return row
}

/** Only what it is asked for: the provider answers, and what it says of itself is what was entered. */
async function requireReachableProvider({ outside }: SsoDeps, draft: SsoSettingsInput) {
  try {
    await discoverProvider(outside, draft)
  } catch (error) {
    if (error instanceof SsoRefusal) throw fieldError('issuer', error.message)
    throw error
  }
}

async function buildOidcValues(making: SsoDeps, before: SsoConnectionRow, draft: SsoSettingsInput) {
  if (!draft.issuer) throw fieldError('issuer', 'L’émetteur est l’adresse que donne votre fournisseur d’identité.')
  if (!draft.clientId) throw fieldError('clientId', 'L’identifiant client est celui que donne votre fournisseur.')
  if (!draft.clientSecret && !before.clientSecret)
    throw fieldError('clientSecret', 'Le secret client est demandé\u00a0: créez-le chez votre fournisseur.')
  await requireReachableProvider(making, draft)
  const { issuer, clientId, clientSecret, secretExpiresOn } = draft
  return {
    issuer,
    clientId,
    secretExpiresOn,
    ...(clientSecret && { clientSecret: making.secrets.seal(clientSecret, getSsoSealContext(before, 'secret')) }),
  }
}

async function buildSamlValues({ secrets, outside }: SsoDeps, before: SsoConnectionRow, draft: SsoSettingsInput) {
  if (!draft.entityId) throw fieldError('entityId', 'L’identifiant d’entité du fournisseur est attendu (entityID).')
  const refusal = outside.refusal(draft.ssoUrl)
  if (refusal) throw fieldError('ssoUrl', refusal)
  const certificates = parseCertificates(draft.certificates)
  if (!certificates.length) throw fieldError('certificates', 'Collez le certificat de signature du fournisseur.')
  const { entityId, ssoUrl, responseSigned } = draft
  return { entityId, ssoUrl, responseSigned, certificates, ...(await buildSigningValues(secrets, before, draft)) }
}

async function buildSigningValues(
  secrets: Deps['secrets'],
  before: SsoConnectionRow,
  { signsRequests }: SsoSettingsInput,
) {
  if (!signsRequests) return { signingKey: null, signingCertificate: null }
  if (before.signingKey) return {}
  const now = Temporal.Now.zonedDateTimeISO('UTC')
  const to = new Date(now.add({ years: SIGNING_YEARS }).epochMilliseconds)
  const { key, certificate } = await createSelfSignedCertificate('Voisol', new Date(now.epochMilliseconds), to)
  return { signingKey: secrets.seal(key, getSsoSealContext(before, 'key')), signingCertificate: certificate }
}

const PROVIDER_FIELDS = ['issuer', 'clientId', 'entityId', 'ssoUrl'] as const

/** Another provider names people otherwise, and has been tried by nobody. A renewed secret or certificate is still the same one's. */
const isOtherProvider = (before: SsoConnectionRow, after: SsoConnectionRow) =>
  PROVIDER_FIELDS.some((key) => before[key] !== after[key])

const getIssuer = ({ issuer, entityId }: SsoConnectionRow) => issuer + entityId

export async function updateSsoConnection(tx: Db, making: SsoDeps, actor: Actor, id: string, draft: SsoSettingsInput) {
  const before = await lockSsoConnection(tx, actor, id)
  requireCurrentVersion(before, { version: draft.version })
  await requireConnectionPermissions(tx, actor, before)
  for (const { role } of draft.roles) await requireCompanyRole(tx, actor, role)
  if (draft.defaultRole) await requireCompanyRole(tx, actor, draft.defaultRole)
  const values = await (before.kind === 'saml' ? buildSamlValues : buildOidcValues)(making, before, draft)
  const { name, groupClaim, roles, defaultRole } = draft
  const [after] = await tx
    .update(ssoConnections)
    .set({ ...values, name, groupClaim, roles, defaultRole, version: before.version + 1 })
    .where(isSsoConnection(actor, id))
    .returning()
  if (!after) throw new AppError('not-found')
  await requireConnectionPermissions(tx, actor, after)
  return { before, after: isOtherProvider(before, after) ? await resetConnection(tx, before, after) : after }
}

/** What is switched on stays so only as it was tried; those whom another provider named are met anew. */
async function resetConnection(
  tx: Db,
  before: SsoConnectionRow,
  { companyId, id, ...after }: SsoConnectionRow,
): Promise<SsoConnectionRow> {
  if (before.enforcedAt)
    throw new AppError('conflict', {
      message:
        'Cette connexion est imposée\u00a0: cessez d’abord de l’imposer, puis changez de fournisseur et essayez-la.',
    })
  if (getIssuer(before) !== getIssuer({ companyId, id, ...after }))
    await tx
      .update(ssoPeople)
      .set({ subject: null })
      .where(and(eq(ssoPeople.companyId, companyId), eq(ssoPeople.connectionId, id)))
  await endConnectionSessions(tx, { companyId, id })
  const [row] = await tx
    .update(ssoConnections)
    .set({ testedAt: null, activatedAt: null, sendsEmailVerified: false })
    .where(isSsoConnection({ companyId }, id))
    .returning()
  if (!row) throw new AppError('not-found')
  return row
}

/** What a provider vouched for ends with it: the sessions it opened, and the sign-ins and tickets that are on their way. */
async function endConnectionSessions(tx: Db, { companyId, id }: Pick<SsoConnectionRow, 'companyId' | 'id'>) {
  await tx.delete(ssoAttempts).where(and(eq(ssoAttempts.companyId, companyId), eq(ssoAttempts.connectionId, id)))
  await tx.delete(sessions).where(eq(sessions.ssoConnectionId, id))
}

export async function removeSsoConnection(tx: Db, actor: Actor, id: string): Promise<SsoConnectionRow> {
  const row = await lockSsoConnection(tx, actor, id)
  await requireConnectionPermissions(tx, actor, row)
  if (row.enforcedAt)
    throw new AppError('conflict', { message: 'Cette connexion est imposée\u00a0: cessez d’abord de l’imposer.' })
  await endConnectionSessions(tx, row)
  await tx.delete(ssoConnections).where(isSsoConnection(actor, id))
  return row
}
