import { isDeepStrictEqual } from 'node:util'
import type { User, UserUpdate } from '@voisol/contract/users'
import { and, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { requireNotBreakGlass } from '../../../core/enforcement.ts'
import { lockCompany } from '../../../core/lock-company.ts'
import type { Db } from '../../../db/client.ts'
import { memberships, sessions, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { isActive, lockAccount, removeSecondFactor } from '../auth/auth.ts'
import { requireHeld } from '../roles/roles.ts'
import { placeOf, roleOf } from './place.ts'
import { userScope } from './scope.ts'
import { tellMember } from './told.ts'
import { getUser } from './view.ts'

export { ALREADY, invitationMail, inviteUser, resendInvitation, VALID_DAYS } from './invitations.ts'
export { keptRole, roleOf } from './place.ts'
export { searchUsers } from './search.ts'
export { tellMember } from './told.ts'
export { getUser } from './view.ts'

type Change = { before: User; after: User }
type Update = z.output<typeof UserUpdate>

async function told(tx: Db, { companyId }: Actor, change: Change): Promise<Change> {
  const { before, after } = change
  const same =
    before.status === after.status &&
    before.role === after.role &&
    isDeepStrictEqual(before.operationIds, after.operationIds)
  if (!same) await tellMember(tx, companyId, after)
  return change
}

const member = (actor: Actor, id: string) => and(userScope(actor), eq(memberships.userId, id))
const nextVersion = sql`${memberships.version} + 1`

async function lockUser(tx: Db, actor: Actor, id: string): Promise<User> {
  const [row] = await tx.select().from(memberships).where(member(actor, id)).for('update')
  if (!row) throw new AppError('not-found')
  await lockAccount(tx, id)
  const user = await getUser(tx, actor, id)
  // Whoever holds more than the actor is not the actor's to change.
  const { held } = await roleOf(tx, actor, user.role)
  requireHeld(actor, held, user.operationIds !== null)
  return user
}

async function requireAnAdmin(tx: Db, actor: Actor) {
  const left = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(userScope(actor), eq(memberships.role, 'admin'), isNull(memberships.operationIds), isActive))
    .limit(1)
  if (!left.length) throw new AppError('last-admin')
}

/** What another company's people rely on is not one company's to change. */
async function isShared(tx: Db, actor: Actor, id: string): Promise<boolean> {
  const [other] = await tx
    .select({ companyId: memberships.companyId })
    .from(memberships)
    .where(
      and(eq(memberships.userId, id), ne(memberships.companyId, actor.companyId), isNotNull(memberships.acceptedAt)),
    )
    .limit(1)
  return other !== undefined
}

export async function updateUser(tx: Db, actor: Actor, id: string, input: Update): Promise<Change> {
  await lockCompany(tx, actor.companyId)
  const before = await lockUser(tx, actor, id)
  requireVersion(before, input)
  const { firstName, lastName, phone } = input
  const same = before.firstName === firstName && before.lastName === lastName && before.phone === phone
  if (!same) await saveIdentity(tx, actor, before, { firstName, lastName, phone })
  const place = await placeOf(tx, actor, { role: input.role, operationIds: input.operationIds }, before)
  if (place.role !== 'admin' || place.operationIds) await requireNotBreakGlass(tx, actor.companyId, id)
  await tx
    .update(memberships)
    .set({ ...place, version: nextVersion })
    .where(member(actor, id))
  if (before.role === 'client' && place.role !== 'client') await expectLongPassword(tx, id)
  await requireAnAdmin(tx, actor)
  return told(tx, actor, { before, after: await getUser(tx, actor, id) })
}

/** A client's password may be shorter: one whose length was never kept is taken for short until it is seen. */
const expectLongPassword = (tx: Db, id: string) =>
  tx
    .update(users)
    .set({ passwordLong: false })
    .where(and(eq(users.id, id), isNull(users.passwordLong)))

type Identity = { firstName: string; lastName: string; phone: string }

async function saveIdentity(tx: Db, actor: Actor, before: User, { phone, ...names }: Identity) {
  const [row] = await tx.select().from(memberships).where(member(actor, before.id))
  if (!row?.acceptedAt) {
    if (phone) throw fieldError('phone', 'Le téléphone se renseigne une fois l’invitation acceptée.')
    const invited = { invitedFirstName: names.firstName, invitedLastName: names.lastName }
    await tx.update(memberships).set(invited).where(member(actor, before.id))
    return
  }
  if (await isShared(tx, actor, before.id))
    throw new AppError('conflict', {
      message:
        'Cette personne appartient aussi à une autre organisation : elle seule peut changer son nom et son téléphone.',
    })
  await tx
    .update(users)
    .set({ ...names, phone, version: sql`${users.version} + 1` })
    .where(eq(users.id, before.id))
}

/** Closes the company to a person, sessions included, from the very next request. */
export async function disableUser(tx: Db, actor: Actor, id: string): Promise<Change> {
  await lockCompany(tx, actor.companyId)
  const before = await lockUser(tx, actor, id)
  if (before.status === 'disabled') return { before, after: before }
  await requireNotBreakGlass(tx, actor.companyId, id)
  await tx.update(memberships).set({ disabledAt: new Date(), version: nextVersion }).where(member(actor, id))
  await requireAnAdmin(tx, actor)
  await tx.delete(sessions).where(and(eq(sessions.userId, id), eq(sessions.companyId, actor.companyId)))
  return told(tx, actor, { before, after: await getUser(tx, actor, id) })
}

export async function enableUser(tx: Db, actor: Actor, id: string): Promise<Change> {
  const before = await lockUser(tx, actor, id)
  if (before.status !== 'disabled') return { before, after: before }
  await tx.update(memberships).set({ disabledAt: null, version: nextVersion }).where(member(actor, id))
  return told(tx, actor, { before, after: await getUser(tx, actor, id) })
}

/** For somebody who lost their telephone and their recovery codes. One's own is removed from the profile, with the password. */
export async function resetSecondFactor(tx: Db, actor: Actor, id: string): Promise<Change> {
  const before = await lockUser(tx, actor, id)
  if (id === actor.userId)
    throw new AppError('conflict', { message: 'Désactivez votre propre double authentification depuis votre profil.' })
  if (!before.secondFactor) throw new AppError('conflict', { message: 'La double authentification n’est pas activée.' })
  if (await isShared(tx, actor, id))
    throw new AppError('conflict', {
      message: 'Cette personne appartient aussi à une autre organisation : sa double authentification reste la sienne.',
    })
  await removeSecondFactor(tx, id)
  await tx.update(memberships).set({ version: nextVersion }).where(member(actor, id))
  return { before, after: await getUser(tx, actor, id) }
}

/** Only the sessions on this company; the one that asks stays open. */
export async function revokeUserSessions(tx: Db, actor: Actor, id: string): Promise<number> {
  await lockUser(tx, actor, id)
  const gone = await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, id), eq(sessions.companyId, actor.companyId), ne(sessions.id, actor.sessionId)))
    .returning({ id: sessions.id })
  return gone.length
}
