import type { SsoKind, SsoSettings } from '@voisol/contract/sso'
import { and, count, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { sessions, ssoAttempts, ssoConnections, ssoPeople } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { roleOf } from '../users/users.ts'
import { readCertificates } from './certificates.ts'
import { SsoRefusal } from './faults.ts'
import { discover } from './oidc.ts'
import { requireReach } from './reach.ts'
import { type Connection, lockConnection, oneOf, placeOf, ssoScope } from './scope.ts'
import { selfSigned } from './self-signed.ts'

export { believedUntil, proofAfter, recordOf } from './domains.ts'
export { seedSso } from './seed.ts'

type Draft = z.output<typeof SsoSettings>
type Making = Pick<Deps, 'secrets' | 'outside'>

const MOST = 10
const SIGNING_YEARS = 10

export async function createConnection(tx: Db, actor: Actor, { name, kind }: { name: string; kind: SsoKind }) {
  const [sum] = await tx.select({ n: count() }).from(ssoConnections).where(ssoScope(actor))
  if ((sum?.n ?? 0) >= MOST)
    throw new AppError('conflict', { message: `Une organisation peut avoir ${MOST} connexions d’entreprise au plus.` })
  const [row] = await tx.insert(ssoConnections).values({ companyId: actor.companyId, name, kind }).returning()
  if (!row) throw new AppError('internal')
  return row
}

/** Only what it is asked for: the provider answers, and what it says of itself is what was entered. */
async function requireProvider({ outside }: Making, draft: Draft) {
  try {
    await discover(outside, draft)
  } catch (error) {
    if (error instanceof SsoRefusal) throw fieldError('issuer', error.message)
    throw error
  }
}

async function oidcValues(making: Making, before: Connection, draft: Draft) {
  if (!draft.issuer) throw fieldError('issuer', 'L’émetteur est l’adresse que donne votre fournisseur d’identité.')
  if (!draft.clientId) throw fieldError('clientId', 'L’identifiant client est celui que donne votre fournisseur.')
  if (!draft.clientSecret && !before.clientSecret)
    throw fieldError('clientSecret', 'Le secret client est demandé\u00a0: créez-le chez votre fournisseur.')
  await requireProvider(making, draft)
  const { issuer, clientId, clientSecret, secretExpiresOn } = draft
  return {
    issuer,
    clientId,
    secretExpiresOn,
    ...(clientSecret && { clientSecret: making.secrets.seal(clientSecret, placeOf(before, 'secret')) }),
  }
}

async function samlValues({ secrets, outside }: Making, before: Connection, draft: Draft) {
  if (!draft.entityId) throw fieldError('entityId', 'L’identifiant d’entité du fournisseur est attendu (entityID).')
  const refusal = outside.refusal(draft.ssoUrl)
  if (refusal) throw fieldError('ssoUrl', refusal)
  const certificates = readCertificates(draft.certificates)
  if (!certificates.length) throw fieldError('certificates', 'Collez le certificat de signature du fournisseur.')
  const { entityId, ssoUrl, responseSigned } = draft
  return { entityId, ssoUrl, responseSigned, certificates, ...(await signing(secrets, before, draft)) }
}

async function signing(secrets: Deps['secrets'], before: Connection, { signsRequests }: Draft) {
  if (!signsRequests) return { signingKey: null, signingCertificate: null }
  if (before.signingKey) return {}
  const now = Temporal.Now.zonedDateTimeISO('UTC')
  const to = new Date(now.add({ years: SIGNING_YEARS }).epochMilliseconds)
  const { key, certificate } = await selfSigned('Voisol', new Date(now.epochMilliseconds), to)
  return { signingKey: secrets.seal(key, placeOf(before, 'key')), signingCertificate: certificate }
}

const PROVIDER = ['issuer', 'clientId', 'entityId', 'ssoUrl'] as const

/** Another provider names people otherwise, and has been tried by nobody. A renewed secret or certificate is still the same one's. */
const isAnother = (before: Connection, after: Connection) => PROVIDER.some((key) => before[key] !== after[key])

const whoSigns = ({ issuer, entityId }: Connection) => issuer + entityId

export async function updateConnection(tx: Db, making: Making, actor: Actor, id: string, draft: Draft) {
  const before = await lockConnection(tx, actor, id)
  requireVersion(before, { version: draft.version })
  await requireReach(tx, actor, before)
  for (const { role } of draft.roles) await roleOf(tx, actor, role)
  if (draft.defaultRole) await roleOf(tx, actor, draft.defaultRole)
  const values = await (before.kind === 'saml' ? samlValues : oidcValues)(making, before, draft)
  const { name, groupClaim, roles, defaultRole } = draft
  const [after] = await tx
    .update(ssoConnections)
    .set({ ...values, name, groupClaim, roles, defaultRole, version: before.version + 1 })
    .where(oneOf(actor, id))
    .returning()
  if (!after) throw new AppError('not-found')
  await requireReach(tx, actor, after)
  return { before, after: isAnother(before, after) ? await begunAgain(tx, before, after) : after }
}

/** What is switched on stays so only as it was tried; those whom another provider named are met anew. */
async function begunAgain(tx: Db, before: Connection, { companyId, id, ...after }: Connection): Promise<Connection> {
  if (before.enforcedAt)
    throw new AppError('conflict', {
      message:
        'Cette connexion est imposée\u00a0: cessez d’abord de l’imposer, puis changez de fournisseur et essayez-la.',
    })
  if (whoSigns(before) !== whoSigns({ companyId, id, ...after }))
    await tx
      .update(ssoPeople)
      .set({ subject: null })
      .where(and(eq(ssoPeople.companyId, companyId), eq(ssoPeople.connectionId, id)))
  await endEntrances(tx, { companyId, id })
  const [row] = await tx
    .update(ssoConnections)
    .set({ testedAt: null, activatedAt: null })
    .where(oneOf({ companyId }, id))
    .returning()
  if (!row) throw new AppError('not-found')
  return row
}

/** What a provider vouched for ends with it: the sessions it opened, and the sign-ins and tickets that are on their way. */
async function endEntrances(tx: Db, { companyId, id }: Pick<Connection, 'companyId' | 'id'>) {
  await tx.delete(ssoAttempts).where(and(eq(ssoAttempts.companyId, companyId), eq(ssoAttempts.connectionId, id)))
  await tx.delete(sessions).where(eq(sessions.ssoConnectionId, id))
}

export async function removeConnection(tx: Db, actor: Actor, id: string): Promise<Connection> {
  const row = await lockConnection(tx, actor, id)
  await requireReach(tx, actor, row)
  if (row.enforcedAt)
    throw new AppError('conflict', { message: 'Cette connexion est imposée\u00a0: cessez d’abord de l’imposer.' })
  await endEntrances(tx, row)
  await tx.delete(ssoConnections).where(oneOf(actor, id))
  return row
}
