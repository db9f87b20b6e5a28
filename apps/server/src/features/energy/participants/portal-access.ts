import { type Holder, type HolderDraft, MAX_HOLDERS } from '@voisol/contract/holders'
import type { ParticipantDetail } from '@voisol/contract/participants'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { listUserIdsOfParticipant } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { memberships, portalHolders, users } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { throttle } from '../../../http/throttle.ts'
import { notify } from '../../identity/notifications/index.ts'
import { ALREADY_MEMBER_MESSAGES, inviteUser, loadUser, resendInvitation } from '../../identity/users/index.ts'
import { lockParticipant, requireParticipant, updateParticipantRow } from './edit-participant.ts'
import { loadParticipant } from './participant-queries.ts'
import type { ParticipantRow } from './participant-scope.ts'

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

/** The member of the company with that e-mail address. */
async function findMemberByEmail(tx: Db, actor: Actor, email: string) {
  const [row] = await tx
    .select({ id: users.id })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.companyId, actor.companyId), sql`lower(${users.email}) = ${email.toLowerCase()}`))
  return row ? loadUser(tx, actor, row.id) : null
}

type PortalPerson = Pick<ParticipantRow, 'userId' | 'email' | 'firstName' | 'lastName' | 'name'>

/**
 * The portal account: the existing one, or a new invited one. An office user who also lives there then has both spaces.
 */
async function findOrInviteAccount(tx: Db, post: MailDeps, actor: Actor, row: PortalPerson) {
  const member = row.userId ? await loadUser(tx, actor, row.userId) : await findMemberByEmail(tx, actor, row.email)
  if (!member) {
    const names = { firstName: row.firstName, lastName: row.lastName || row.name }
    return inviteUser(tx, post, actor, { email: row.email, ...names, role: 'client' })
  }
  if (member.status === 'disabled') throw new AppError('conflict', { message: ALREADY_MEMBER_MESSAGES.disabled })
  if (member.status === 'active' && row.userId)
    throw new AppError('conflict', { message: 'Ce participant a déjà accès au portail.' })
  if (member.status === 'invited') {
    await resendInvitation(tx, post, actor, member.id)
    await throttle(tx, `invitation ${actor.companyId} ${member.id}`, 5, 3600)
  }
  return member
}

export async function inviteParticipant(tx: Db, post: MailDeps, actor: Actor, id: string): Promise<ParticipantDetail> {
  const row = await lockParticipant(tx, actor, id)
  if (!row.email && !row.userId)
    throw fieldError(
      'email',
      'Renseignez d’abord l’adresse e-mail de ce participant\u00a0: l’invitation y est envoyée.',
    )
  const account = await findOrInviteAccount(tx, post, actor, row)
  if (row.userId !== account.id) await updateParticipantRow(tx, actor, id, { userId: account.id })
  return loadParticipant(tx, actor, id)
}
