import type { ClosureFacts } from '@voisol/contract/closure'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { record } from '../../../core/events.ts'
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
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { tellConsents, withdrawConsent } from '../../energy/consents/consents.ts'
import { forgetAccount } from '../../people/auth/auth.ts'
import { mailLayout, sendMail } from '../../people/mail/mail.ts'
import { notify } from '../../people/notifications/notifications.ts'
import { noteErasure } from '../erasure/erasure.ts'
import { closureFacts, freeAgreements, idsOf, ownAlone, ownParticipants } from './facts.ts'

type Post = Pick<Deps, 'secrets' | 'config'>

/** Whoever also works there is let go by those they work with: an organisation is not left without its keeper from here. */
async function lockOwn(tx: Db, { companyId, userId }: Actor) {
  const own = and(eq(memberships.companyId, companyId), eq(memberships.userId, userId))
  const [row] = await tx.select().from(memberships).where(own).for('update')
  if (row?.role !== 'client')
    throw new AppError('conflict', {
      message: 'Vous travaillez aussi dans cette organisation\u00a0: un de ses administrateurs ferme votre accès.',
    })
  return own
}

async function forgetHere(tx: Db, { companyId, userId }: Actor) {
  const now = new Date()
  for (const table of [notifications, portalVisits])
    await tx.delete(table).where(and(eq(table.companyId, companyId), eq(table.userId, userId)))
  await tx
    .update(apiKeys)
    .set({ revokedAt: now })
    .where(and(eq(apiKeys.companyId, companyId), eq(apiKeys.makerId, userId), isNull(apiKeys.revokedAt)))
  await tx.delete(sessions).where(and(eq(sessions.userId, userId), eq(sessions.companyId, companyId)))
}

const sayGoodbye = (tx: Db, { secrets, config }: Post, to: string, companyId: number) =>
  sendMail(
    tx,
    secrets,
    {
      to,
      subject: 'Votre compte est fermé',
      ...mailLayout({
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

const tellOrganiser = (tx: Db, post: Post, { companyId, userId }: Actor, names: string[], facts: ClosureFacts) =>
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

/** Whoever reads beside them keeps doing so, and takes their place: a participant with readers has a first one. */
async function leave(tx: Db, { companyId, userId }: Actor) {
  await tx.delete(portalHolders).where(and(eq(portalHolders.companyId, companyId), eq(portalHolders.userId, userId)))
  await tx.execute(sql`
    with left_by as (
      update participants p set user_id = (select h.user_id from portal_holders h
               where h.company_id = ${companyId} and h.participant_id = p.id order by h.created_at, h.user_id limit 1)
       where p.company_id = ${companyId} and p.user_id = ${userId} returning p.id, p.user_id)
    delete from portal_holders h using left_by l
     where h.company_id = ${companyId} and h.participant_id = l.id and h.user_id = l.user_id`)
}

/** The caller has checked the password. What was invoiced and measured stays with the organiser, who must keep it. */
export async function closeAccount(tx: Db, post: Post, actor: Actor, erase = false): Promise<ClosureFacts> {
  const { companyId, userId } = actor
  const own = await lockOwn(tx, actor)
  const facts = await closureFacts(tx, actor)
  const ended = []
  for (const { id } of await freeAgreements(tx, actor)) ended.push((await withdrawConsent(tx, actor, id)).consent)
  const alone = await idsOf(tx, ownAlone(actor))
  const people = await tx.select({ name: participants.name }).from(participants).where(ownParticipants(actor))
  await leave(tx, actor)
  if (erase) await noteErasure(tx, actor, alone)
  await tx.update(memberships).set({ disabledAt: new Date() }).where(own)
  await forgetHere(tx, actor)
  await sayGoodbye(tx, post, actor.email, companyId)
  await tellOrganiser(
    tx,
    post,
    actor,
    people.map(({ name }) => name),
    facts,
  )
  if (!facts.elsewhere) await forgetAccount(tx, userId)
  await tellConsents(tx, companyId, 'withdrawn', ended)
  const data = { userId, status: 'disabled' as const, role: 'client' }
  await record(tx, { companyId, name: 'member.changed', object: userId, data })
  return facts
}
