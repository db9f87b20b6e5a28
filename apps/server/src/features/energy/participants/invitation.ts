import type { ParticipantDetail } from '@voisol/contract/participants'
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { memberships, users } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { throttle } from '../../../http/throttle.ts'
import { ALREADY_MEMBER_MESSAGES, inviteUser, loadUser, resendInvitation } from '../../people/users/users.ts'
import type { ParticipantRow } from './identity.ts'
import { loadParticipant } from './view.ts'
import { lockParticipant, updateParticipantRow } from './write.ts'

type MailDeps = Pick<Deps, 'secrets' | 'config'>

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
export async function findOrInviteAccount(tx: Db, post: MailDeps, actor: Actor, row: PortalPerson) {
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
