import { type Holder, type HolderDraft, MAX_HOLDERS } from '@voisol/contract/holders'
import { and, asc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { listUserIdsOfParticipant } from '../../../core/held.ts'
import type { Db } from '../../../db/client.ts'
import { memberships, portalHolders } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { notify } from '../../people/notifications/notifications.ts'
import { loadUser } from '../../people/users/users.ts'
import { findOrInviteAccount } from './invitation.ts'
import { lockParticipant, requireParticipant } from './write.ts'

type MailDeps = Pick<Deps, 'secrets' | 'config'>
type AddHolderInput = z.output<typeof HolderDraft>

const isHolderOfParticipant = ({ companyId }: Actor, id: string) =>
  and(eq(portalHolders.companyId, companyId), eq(portalHolders.participantId, id))

export async function listHolders(db: Db, actor: Actor, id: string): Promise<Holder[]> {
  await requireParticipant(db, actor, id)
  const rows = await db
    .select({ userId: portalHolders.userId, createdAt: portalHolders.createdAt })
    .from(portalHolders)
    .innerJoin(
      memberships,
      and(eq(memberships.companyId, portalHolders.companyId), eq(memberships.userId, portalHolders.userId)),
    )
    .where(isHolderOfParticipant(actor, id))
    .orderBy(asc(portalHolders.createdAt), asc(portalHolders.userId))
  const items: Holder[] = []
  for (const { userId, createdAt } of rows) {
    const { firstName, lastName, email, status, lastSignInAt } = await loadUser(db, actor, userId)
    const name = `${firstName} ${lastName}`.trim() || email
    items.push({ userId, name, email, status, lastSignInAt, addedAt: createdAt.toISOString() })
  }
  return items
}

/** Notifies the existing holders that another person can read the portal. */
const notifyOtherHolders = (
  tx: Db,
  post: MailDeps,
  { companyId }: Actor,
  to: string[],
  about: { id: string; userId: string },
) =>
  notify(tx, post, {
    companyId,
    to,
    category: 'account',
    type: 'info',
    priority: 'normal',
    title: 'Un cotitulaire a accès à votre espace',
    message:
      'Votre organisateur a ouvert votre espace à une autre personne de votre foyer. Si vous ne l’avez pas demandé, écrivez-lui.',
    action: { label: 'Écrire à l’organisateur', url: '/client-portal/support' },
    key: `holder ${about.id} ${about.userId}`,
  })

/** Adds a portal holder with their own account and invitation. A second call only sends the mail again. */
export async function addHolder(tx: Db, post: MailDeps, actor: Actor, id: string, draft: AddHolderInput) {
  const { companyId } = actor
  const participant = await lockParticipant(tx, actor, id)
  if (!participant.userId)
    throw new AppError('conflict', { message: 'Invitez d’abord le participant lui-même au portail.' })
  const before = await listUserIdsOfParticipant(tx, companyId, id)
  const account = await findOrInviteAccount(tx, post, actor, { ...draft, name: '', userId: null })
  if (account.id === participant.userId)
    throw fieldError('email', 'Cette personne lit déjà cet espace\u00a0: donnez l’adresse du cotitulaire.')
  if (!before.includes(account.id)) {
    if (before.length > MAX_HOLDERS) throw fieldError('email', `Un participant a ${MAX_HOLDERS} cotitulaires au plus.`)
    await tx.insert(portalHolders).values({ companyId, participantId: id, userId: account.id })
    await notifyOtherHolders(tx, post, actor, before, { id, userId: account.id })
  }
  return { participant, userId: account.id, items: await listHolders(tx, actor, id) }
}

/** Removes access to this participant at once; the account remains. */
export async function removeHolder(tx: Db, actor: Actor, id: string, userId: string) {
  const participant = await lockParticipant(tx, actor, id)
  const [removedRow] = await tx
    .delete(portalHolders)
    .where(and(isHolderOfParticipant(actor, id), eq(portalHolders.userId, userId)))
    .returning()
  if (!removedRow) throw new AppError('not-found')
  return participant
}
