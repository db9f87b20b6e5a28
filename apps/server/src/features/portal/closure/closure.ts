import type { AccountClosureFacts } from '@voisol/contract/closure'
import type { Consent } from '@voisol/contract/consents'
import { and, eq, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { isOnlyHolder, isParticipantOfUser, participantIdsOfUser } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import {
  apiKeys,
  memberships,
  notifications,
  participants,
  portalHolders,
  portalVisits,
  sessions,
} from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { loadOpenAmounts } from '../../billing/invoices/index.ts'
import { loadConsents, recordConsentEvents, withdrawConsent } from '../../energy/consents/index.ts'
import { anonymizeAccount, isActiveMembership } from '../../identity/auth/index.ts'
import { renderMail, sendMail } from '../../identity/mail/index.ts'
import { notify } from '../../identity/notifications/index.ts'
import { requestOwnErasure } from '../erasure/index.ts'

type MailDeps = Pick<Deps, 'secrets' | 'config'>

/** A back office member must be removed by a colleague, so that no organisation loses its last administrator here. */
async function lockClientMembership(tx: Db, { companyId, userId }: Actor) {
  const own = and(eq(memberships.companyId, companyId), eq(memberships.userId, userId))
  const [row] = await tx.select().from(memberships).where(own).for('update')
  if (row?.role !== 'client')
    throw new AppError('conflict', {
      message: 'Vous travaillez aussi dans cette organisation\u00a0: un de ses administrateurs ferme votre accès.',
    })
  return own
}

async function deleteCompanyTraces(tx: Db, { companyId, userId }: Actor) {
  const now = new Date()
  for (const table of [notifications, portalVisits])
    await tx.delete(table).where(and(eq(table.companyId, companyId), eq(table.userId, userId)))
  await tx
    .update(apiKeys)
    .set({ revokedAt: now })
    .where(and(eq(apiKeys.companyId, companyId), eq(apiKeys.makerId, userId), isNull(apiKeys.revokedAt)))
  await tx.delete(sessions).where(and(eq(sessions.userId, userId), eq(sessions.companyId, companyId)))
}

const sendClosureMail = (tx: Db, { secrets, config }: MailDeps, to: string, companyId: number) =>
  sendMail(
    tx,
    secrets,
    {
      to,
      subject: 'Votre compte est fermé',
      ...renderMail({
        title: 'Votre compte est fermé',
        paragraphs: [
          'Vous l’avez demandé depuis votre espace. Plus personne ne peut s’y connecter.',
          'Vos factures et vos paiements sont gardés dix ans, comme la loi le demande.',
        ],
        footer: `Si ce n’est pas vous, écrivez à ${config.SUPPORT_EMAIL}.`,
      }),
    },
    { companyId, sender: 'installation' },
  )

const notifyOrganiser = (
  tx: Db,
  post: MailDeps,
  { companyId, userId }: Actor,
  names: string[],
  facts: AccountClosureFacts,
) =>
  notify(tx, post, {
    companyId,
    to: { permission: 'participants.write' },
    category: 'account',
    type: 'info',
    priority: facts.running.length ? 'high' : 'normal',
    title: `${names.join(', ') || 'Un participant'} a fermé son compte`,
    message: facts.running.length
      ? `Sa participation continue dans ${facts.running.join(', ')}\u00a0: écrivez-lui autrement que par son espace.`
      : 'Aucun de ses compteurs ne prend plus part à une opération.',
    action: { label: 'Voir les participants', url: '/participants' },
    key: `closure ${userId} ${new Date().toISOString()}`,
  })

/** Other holders keep their access, and one of them becomes the main holder. */
async function removeHolder(tx: Db, { companyId, userId }: Actor) {
  await tx.delete(portalHolders).where(and(eq(portalHolders.companyId, companyId), eq(portalHolders.userId, userId)))
  await tx.execute(sql`
    with left_by as (
      update participants p set user_id = (select h.user_id from portal_holders h
               where h.company_id = ${companyId} and h.participant_id = p.id order by h.created_at, h.user_id limit 1)
       where p.company_id = ${companyId} and p.user_id = ${userId} returning p.id, p.user_id)
    delete from portal_holders h using left_by l
     where h.company_id = ${companyId} and h.participant_id = l.id and h.user_id = l.user_id`)
}

/**
 * The caller has checked the password. Invoices and measurements stay with the organiser, who must keep them by law.
 */
export async function closeAccount(tx: Db, post: MailDeps, actor: Actor, erase = false): Promise<AccountClosureFacts> {
  const { companyId, userId } = actor
  const own = await lockClientMembership(tx, actor)
  const facts = await loadClosureFacts(tx, actor)
  const ended = []
  for (const { id } of await listRevocableConsents(tx, actor))
    ended.push((await withdrawConsent(tx, actor, id)).consent)
  const alone = await listParticipantIds(tx, isOnlyOwnParticipant(actor))
  const people = await tx.select({ name: participants.name }).from(participants).where(isOwnParticipant(actor))
  await removeHolder(tx, actor)
  if (erase) await requestOwnErasure(tx, actor, alone)
  await tx.update(memberships).set({ disabledAt: new Date() }).where(own)
  await deleteCompanyTraces(tx, actor)
  await sendClosureMail(tx, post, actor.email, companyId)
  await notifyOrganiser(
    tx,
    post,
    actor,
    people.map(({ name }) => name),
    facts,
  )
  if (!facts.elsewhere) await anonymizeAccount(tx, userId)
  await recordConsentEvents(tx, companyId, 'withdrawn', ended)
  const data = { userId, status: 'disabled' as const, role: 'client' }
  await recordEvent(tx, { companyId, name: 'member.changed', object: userId, data })
  return facts
}

const isOwnParticipant = (actor: Actor) => and(eq(participants.companyId, actor.companyId), isParticipantOfUser(actor))
/** One holder cannot end the consents and contracts of a home as long as another holder has access. */
const isOnlyOwnParticipant = (actor: Actor) => and(isOwnParticipant(actor), isOnlyHolder(actor))

const listParticipantIds = async (db: Db, where: SQL | undefined) =>
  (await db.select({ id: participants.id }).from(participants).where(where)).map(({ id }) => id)

async function listRunningOperationNames(db: Db, actor: Actor): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select distinct o.name from participations s
      join operations o on o.company_id = s.company_id and o.id = s.operation_id
     where s.company_id = ${actor.companyId} and s.participant_id in ${participantIdsOfUser(actor)} and (s.ends_on is null or s.ends_on > ${getToday()})
     order by o.name`)
  return rows.map(({ name }) => name)
}

/** Consents that can end with the account; that for readings is needed as long as a meter takes part. */
async function listRevocableConsents(db: Db, actor: Actor): Promise<Consent[]> {
  const found = await loadConsents(db, actor.companyId, await listParticipantIds(db, isOnlyOwnParticipant(actor)))
  return found.filter(({ purpose, state }) => purpose !== 'collection' && (state === 'valid' || state === 'expiring'))
}

const hasOtherActiveMembership = async (db: Db, { companyId, userId }: Actor) => {
  const [row] = await db
    .select({ companyId: memberships.companyId })
    .from(memberships)
    .where(and(eq(memberships.userId, userId), ne(memberships.companyId, companyId), isActiveMembership))
    .limit(1)
  return row !== undefined
}

export async function loadClosureFacts(db: Db, actor: Actor): Promise<AccountClosureFacts> {
  const ids = await listParticipantIds(db, isOwnParticipant(actor))
  const open = ids.length ? await loadOpenAmounts(db, actor.companyId, ids) : new Map<string, number>()
  return {
    running: await listRunningOperationNames(db, actor),
    open: Math.max(
      0,
      [...open.values()].reduce((sum, cents) => sum + cents, 0),
    ),
    agreements: (await listRevocableConsents(db, actor)).length,
    elsewhere: await hasOtherActiveMembership(db, actor),
  }
}
