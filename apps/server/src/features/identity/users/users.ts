import { isDeepStrictEqual } from 'node:util'
import type { User, UserUpdate } from '@voisol/contract/users'
import { and, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { lockCompany } from '../../../core/company-state.ts'
import { requireNotBreakGlass } from '../../../core/sign-ins.ts'
import type { Db } from '../../../db/client.ts'
import { memberships, sessions, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { isActiveMembership, lockUserAccount, removeSecondFactor } from '../auth/index.ts'
import { requireGrantablePermissions } from '../roles/index.ts'
import { prepareRoleAssignment, recordMemberChange, requireCompanyRole } from './invite-user.ts'
import { loadUser, userScope } from './list-users.ts'

type UserChange = { before: User; after: User }
type UpdateUserInput = z.output<typeof UserUpdate>

async function recordIfChanged(tx: Db, { companyId }: Actor, change: UserChange): Promise<UserChange> {
  const { before, after } = change
  const same =
    before.status === after.status &&
    before.role === after.role &&
    isDeepStrictEqual(before.operationIds, after.operationIds)
  if (!same) await recordMemberChange(tx, companyId, after)
  return change
}

const isMembership = (actor: Actor, id: string) => and(userScope(actor), eq(memberships.userId, id))
const nextVersion = sql`${memberships.version} + 1`

async function lockUser(tx: Db, actor: Actor, id: string): Promise<User> {
  const [row] = await tx.select().from(memberships).where(isMembership(actor, id)).for('update')
  if (!row) throw new AppError('not-found')
  await lockUserAccount(tx, id)
  const user = await loadUser(tx, actor, id)
  // A user cannot change a member with more permissions than their own.
  const { held: granted } = await requireCompanyRole(tx, actor, user.role)
  requireGrantablePermissions(actor, granted, user.operationIds !== null)
  return user
}

async function requireRemainingAdmin(tx: Db, actor: Actor) {
  const left = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(userScope(actor), eq(memberships.role, 'admin'), isNull(memberships.operationIds), isActiveMembership))
    .limit(1)
  if (!left.length) throw new AppError('last-admin')
}

/** One company cannot change an account that members of another company rely on. */
async function belongsToOtherCompany(tx: Db, actor: Actor, id: string): Promise<boolean> {
  const [other] = await tx
    .select({ companyId: memberships.companyId })
    .from(memberships)
    .where(
      and(eq(memberships.userId, id), ne(memberships.companyId, actor.companyId), isNotNull(memberships.acceptedAt)),
    )
    .limit(1)
  return other !== undefined
}

export async function updateUser(tx: Db, actor: Actor, id: string, input: UpdateUserInput): Promise<UserChange> {
  await lockCompany(tx, actor.companyId)
  const before = await lockUser(tx, actor, id)
  requireCurrentVersion(before, input)
  const { firstName, lastName, phone } = input
  const same = before.firstName === firstName && before.lastName === lastName && before.phone === phone
  if (!same) await saveIdentity(tx, actor, before, { firstName, lastName, phone })
  const assignment = await prepareRoleAssignment(
    tx,
    actor,
    { role: input.role, operationIds: input.operationIds },
    before,
  )
  if (assignment.role !== 'admin' || assignment.operationIds) await requireNotBreakGlass(tx, actor.companyId, id)
  await tx
    .update(memberships)
    .set({ ...assignment, version: nextVersion })
    .where(isMembership(actor, id))
  if (before.role === 'client' && assignment.role !== 'client') await assumeShortPassword(tx, id)
  await requireRemainingAdmin(tx, actor)
  return recordIfChanged(tx, actor, { before, after: await loadUser(tx, actor, id) })
}

/** A client's password may be shorter: without a recorded length it counts as short until the next sign-in. */
const assumeShortPassword = (tx: Db, id: string) =>
  tx
    .update(users)
    .set({ passwordLong: false })
    .where(and(eq(users.id, id), isNull(users.passwordLong)))

type UserIdentity = { firstName: string; lastName: string; phone: string }

async function saveIdentity(tx: Db, actor: Actor, before: User, { phone, ...names }: UserIdentity) {
  const [row] = await tx.select().from(memberships).where(isMembership(actor, before.id))
  if (!row?.acceptedAt) {
    if (phone) throw fieldError('phone', 'Le téléphone se renseigne une fois l’invitation acceptée.')
    const invited = { invitedFirstName: names.firstName, invitedLastName: names.lastName }
    await tx.update(memberships).set(invited).where(isMembership(actor, before.id))
    return
  }
  if (await belongsToOtherCompany(tx, actor, before.id))
    throw new AppError('conflict', {
      message:
        'Cette personne appartient aussi à une autre organisation : elle seule peut changer son nom et son téléphone.',
    })
  await tx
    .update(users)
    .set({ ...names, phone, version: sql`${users.version} + 1` })
    .where(eq(users.id, before.id))
}

/** Disables the membership and ends its sessions from the next request. */
export async function disableMember(tx: Db, actor: Actor, id: string): Promise<UserChange> {
  await lockCompany(tx, actor.companyId)
  const before = await lockUser(tx, actor, id)
  if (before.status === 'disabled') return { before, after: before }
  await requireNotBreakGlass(tx, actor.companyId, id)
  await tx.update(memberships).set({ disabledAt: new Date(), version: nextVersion }).where(isMembership(actor, id))
  await requireRemainingAdmin(tx, actor)
  await tx.delete(sessions).where(and(eq(sessions.userId, id), eq(sessions.companyId, actor.companyId)))
  return recordIfChanged(tx, actor, { before, after: await loadUser(tx, actor, id) })
}

export async function enableMember(tx: Db, actor: Actor, id: string): Promise<UserChange> {
  const before = await lockUser(tx, actor, id)
  if (before.status !== 'disabled') return { before, after: before }
  await tx.update(memberships).set({ disabledAt: null, version: nextVersion }).where(isMembership(actor, id))
  return recordIfChanged(tx, actor, { before, after: await loadUser(tx, actor, id) })
}

/**
 * For a user who lost their phone and recovery codes. Users remove their own second factor from the profile, with the
 * password.
 */
export async function resetSecondFactor(tx: Db, actor: Actor, id: string): Promise<UserChange> {
  const before = await lockUser(tx, actor, id)
  if (id === actor.userId)
    throw new AppError('conflict', { message: 'Désactivez votre propre double authentification depuis votre profil.' })
  if (!before.secondFactor) throw new AppError('conflict', { message: 'La double authentification n’est pas activée.' })
  if (await belongsToOtherCompany(tx, actor, id))
    throw new AppError('conflict', {
      message: 'Cette personne appartient aussi à une autre organisation : sa double authentification reste la sienne.',
    })
  await removeSecondFactor(tx, id)
  await tx.update(memberships).set({ version: nextVersion }).where(isMembership(actor, id))
  return { before, after: await loadUser(tx, actor, id) }
}

/** Ends the sessions on this company, except the current one. */
export async function revokeUserSessions(tx: Db, actor: Actor, id: string): Promise<number> {
  await lockUser(tx, actor, id)
  const gone = await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, id), eq(sessions.companyId, actor.companyId), ne(sessions.id, actor.sessionId)))
    .returning({ id: sessions.id })
  return gone.length
}
