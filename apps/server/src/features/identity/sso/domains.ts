import { formatFrenchDay } from '@voisol/file-formats/french'
import { and, eq, isNotNull, ne } from 'drizzle-orm'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { isDatabaseRefusal } from '../../../db/database-errors.ts'
import { companies, ssoDomains } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import type { OutboundClient } from '../../../integrations/post/outbound-client.ts'
import { generateToken } from '../../../secrets.ts'
import { toParisDay } from '../../../today.ts'
import { notify } from '../notifications/index.ts'
import { lockSsoConnection, requireConnectionPermissions, type SsoConnectionRow } from './sso-connection.ts'

const MAX_DOMAINS = 20
export const buildVerificationRecord = (token: string) => `voisol-verification=${token}`

/** How long a domain is believed whose record is no longer there: long enough for a mistake to be seen and mended. */
export const LAPSED_DOMAIN_GRACE_DAYS = 7
export const getTrustedUntil = (lapsedAt: Date) => new Date(lapsedAt.getTime() + LAPSED_DOMAIN_GRACE_DAYS * 86_400_000)

type DomainProof = { lapsedAt: Date | null }
type ProofUpdate = {
  values: { lapsedAt?: Date | null; provedAt?: null }
  /** Where somebody must know. */
  told?: { lapsedAt: Date; state: 'missing' | 'refused' }
}

/** What an answer of the name servers makes of a proof. A record that is back is as if it had never been away. */
export function computeProofUpdate({ lapsedAt }: DomainProof, there: boolean, now: Date): ProofUpdate {
  if (there) return { values: { lapsedAt: null } }
  if (!lapsedAt) return { values: { lapsedAt: now }, told: { lapsedAt: now, state: 'missing' } }
  if (getTrustedUntil(lapsedAt) > now) return { values: {} }
  return { values: { provedAt: null }, told: { lapsedAt, state: 'refused' } }
}

const isOwnDomain = ({ companyId }: Pick<Actor, 'companyId'>, domain: string) =>
  and(eq(ssoDomains.companyId, companyId), eq(ssoDomains.domain, domain))

const DOMAIN_TAKEN_MESSAGE =
  'Ce domaine est déjà prouvé par une autre organisation de cette installation. Écrivez à l’assistance.'

export async function addDomain(tx: Db, actor: Actor, id: string, domain: string): Promise<void> {
  const connection = await lockSsoConnection(tx, actor, id)
  const own = await tx.select().from(ssoDomains).where(eq(ssoDomains.companyId, actor.companyId))
  if (own.some((row) => row.domain === domain))
    throw fieldError('domain', 'Ce domaine est déjà dans vos connexions.', 'conflict')
  if (own.length >= MAX_DOMAINS)
    throw new AppError('conflict', { message: `${MAX_DOMAINS} domaines au plus par organisation.` })
  await tx
    .insert(ssoDomains)
    .values({ companyId: actor.companyId, domain, connectionId: connection.id, token: generateToken() })
}

async function lockDomain(tx: Db, actor: Actor, { id }: SsoConnectionRow, domain: string) {
  const [row] = await tx
    .select()
    .from(ssoDomains)
    .where(and(isOwnDomain(actor, domain), eq(ssoDomains.connectionId, id)))
    .for('update')
  if (!row) throw fieldError('domain', 'Ce domaine n’est pas dans cette connexion.', 'not-found')
  return row
}

async function loadTxtRecords(outside: OutboundClient, domain: string): Promise<string[]> {
  try {
    return await outside.txt(domain)
  } catch {
    throw fieldError(
      'domain',
      `Les serveurs de noms de ${domain} ne répondent pas\u00a0: réessayez dans quelques minutes.`,
    )
  }
}

/** Whoever can write the records of a domain has it. Proved for one company, it is refused to every other. */
export async function proveDomain(
  tx: Db,
  outside: OutboundClient,
  actor: Actor,
  id: string,
  domain: string,
): Promise<void> {
  const connection = await lockSsoConnection(tx, actor, id)
  const row = await lockDomain(tx, actor, connection, domain)
  if (row.provedAt && !row.lapsedAt) return
  const record = buildVerificationRecord(row.token)
  if (!(await loadTxtRecords(outside, domain)).some((text) => text.trim() === record))
    throw fieldError(
      'domain',
      `L’enregistrement TXT de ${domain} ne contient pas encore «\u00a0${record}\u00a0». Ajoutez-le chez votre hébergeur de noms, puis vérifiez à nouveau\u00a0: il met parfois une heure à paraître.`,
    )
  const [taken] = await tx
    .select({ companyId: ssoDomains.companyId })
    .from(ssoDomains)
    .where(
      and(eq(ssoDomains.domain, domain), isNotNull(ssoDomains.provedAt), ne(ssoDomains.companyId, actor.companyId)),
    )
  if (taken) throw fieldError('domain', DOMAIN_TAKEN_MESSAGE, 'conflict')
  await tx
    .update(ssoDomains)
    .set({ provedAt: new Date(), checkedAt: new Date(), lapsedAt: null })
    .where(isOwnDomain(actor, domain))
    .catch((error: unknown) => {
      // Two at the same moment: the index lets one have it.
      throw isDatabaseRefusal(error, 'twin') ? fieldError('domain', DOMAIN_TAKEN_MESSAGE, 'conflict') : error
    })
  await requireConnectionPermissions(tx, actor, connection)
}

export async function removeDomain(tx: Db, actor: Actor, id: string, domain: string): Promise<void> {
  const connection = await lockSsoConnection(tx, actor, id)
  await lockDomain(tx, actor, connection, domain)
  await requireConnectionPermissions(tx, actor, connection)
  await tx.delete(ssoDomains).where(isOwnDomain(actor, domain))
}

/** The proved domains of a connection. */
export async function listProvedDomains(db: Db, { companyId, id }: Pick<SsoConnectionRow, 'companyId' | 'id'>) {
  const rows = await db
    .select({ domain: ssoDomains.domain })
    .from(ssoDomains)
    .where(and(eq(ssoDomains.companyId, companyId), eq(ssoDomains.connectionId, id), isNotNull(ssoDomains.provedAt)))
  return rows.map(({ domain }) => domain)
}

type Row = typeof ssoDomains.$inferSelect

const isDomainRow = ({ companyId, domain }: Row) =>
  and(eq(ssoDomains.companyId, companyId), eq(ssoDomains.domain, domain))

const REMEDY = 'Remettez l’enregistrement TXT chez l’hébergeur de vos noms'

/** Told when it is first missed, and when it is believed no more. */
async function notifyDomainLapse(tx: Db, deps: Deps, row: Row, lapsedAt: Date, state: 'missing' | 'refused') {
  const { companyId, connectionId, domain, token } = row
  const until = toParisDay(getTrustedUntil(lapsedAt))
  const refused = state === 'refused'
  await notify(tx, deps, {
    companyId,
    to: { permission: 'sso.write' },
    category: 'security',
    type: refused ? 'error' : 'warning',
    priority: 'critical',
    title: refused ? `${domain} n’est plus prouvé` : `La preuve de ${domain} a disparu du DNS`,
    message: refused
      ? `Plus personne de ce domaine n’entre par la connexion d’entreprise. ${REMEDY} («\u00a0${buildVerificationRecord(token)}\u00a0»), puis vérifiez le domaine.`
      : `Sans elle, plus personne de ce domaine n’entrera par la connexion d’entreprise à partir du ${formatFrenchDay(until)}. ${REMEDY}\u00a0: «\u00a0${buildVerificationRecord(token)}\u00a0».`,
    action: { label: 'Ouvrir la connexion unique', url: '/admin/sso' },
    key: `sso domain ${domain} ${lapsedAt.toISOString()} ${state}`,
  })
  const by = { job: 'sso.prove', secrets: deps.secrets }
  const data = { connectionId, domain, state, believedUntil: until }
  await recordEvent(tx, { companyId, name: 'sso.domain-lapsed', object: connectionId, data, by })
}

async function storeProofUpdate(tx: Db, deps: Deps, row: Row, there: boolean, now: Date) {
  const { values, told } = computeProofUpdate(row, there, now)
  await tx
    .update(ssoDomains)
    .set({ checkedAt: now, ...values })
    .where(isDomainRow(row))
  if (told) await notifyDomainLapse(tx, deps, row, told.lapsedAt, told.state)
}

/** Each night every proved domain is asked for its record again: a domain that was sold lets nobody in. */
export async function recheckDomains(deps: Deps): Promise<void> {
  // The domains of a demonstration stand in no DNS.
  const rows = await deps.db
    .select({ companyId: ssoDomains.companyId, domain: ssoDomains.domain })
    .from(ssoDomains)
    .innerJoin(companies, eq(companies.id, ssoDomains.companyId))
    .where(and(isNotNull(ssoDomains.provedAt), eq(companies.isDemo, false)))
  for (const { companyId, domain } of rows) {
    let texts: string[]
    try {
      texts = await deps.outside.txt(domain)
    } catch (err) {
      // Name servers that do not answer say nothing about the record.
      deps.log.warn({ err, domain }, 'the name servers do not answer')
      continue
    }
    await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
      const where = and(eq(ssoDomains.companyId, companyId), eq(ssoDomains.domain, domain))
      const [row] = await tx.select().from(ssoDomains).where(where).for('update')
      if (!row?.provedAt) return
      await storeProofUpdate(
        tx,
        deps,
        row,
        texts.some((text) => text.trim() === buildVerificationRecord(row.token)),
        new Date(),
      )
    })
  }
}
