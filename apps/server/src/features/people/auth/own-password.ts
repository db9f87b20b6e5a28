import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { users } from '../../../db/schema/index.ts'
import type { Actor, PersonActor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { refundAttempts, throttle } from '../../../http/throttle.ts'
import { hasOfficeMembership, lockCredentials, lockUserAccount, type UserAccount } from './accounts.ts'
import { invalidateResetLinks } from './password-reset.ts'
import { buildPasswordColumns, requireStrongPassword, verifyPassword } from './passwords.ts'
import { ATTEMPT_WINDOW_SECONDS } from './refusals.ts'
import { hasSecondFactor } from './second-factor.ts'
import { revokeOtherSessions } from './sessions.ts'

const MAX_PASSWORD_ATTEMPTS = 5

/** Checks the password of a signed-in user, with limits: a stolen session must neither be enough nor allow guessing. */
export async function requireOwnPassword(tx: Db, aside: Db, actor: Actor, password: string, field: string) {
  const key = `password ${actor.userId}`
  await throttle(aside, key, MAX_PASSWORD_ATTEMPTS, ATTEMPT_WINDOW_SECONDS)
  const user = await lockUserAccount(tx, actor.userId)
  if (!(await verifyPassword(user.passwordHash, password)))
    throw fieldError(field, 'Le mot de passe actuel est incorrect.')
  await refundAttempts(aside, key)
  return user
}

/** The caller has checked the current password. */
export async function changePassword(tx: Db, actor: PersonActor, user: UserAccount, current: string, password: string) {
  if (password === current) throw fieldError('password', 'Choisissez un mot de passe différent de l’actuel.')
  const inOffice = await hasOfficeMembership(tx, user.id)
  requireStrongPassword(password, { inOffice, secondFactor: await hasSecondFactor(tx, user.id), email: user.email })
  await lockCredentials(tx, user.id)
  await tx
    .update(users)
    .set(await buildPasswordColumns(password))
    .where(eq(users.id, user.id))
  await invalidateResetLinks(tx, user.id)
  await revokeOtherSessions(tx, actor)
}
