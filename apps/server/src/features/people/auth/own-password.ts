import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { users } from '../../../db/schema/index.ts'
import type { Actor, Person } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { forgive, throttle } from '../../../http/throttle.ts'
import { type Account, lockAccount, lockCredentials, worksSomewhere } from './accounts.ts'
import { endResetLinks } from './password-reset.ts'
import { keptPassword, requireStrong, verifyPassword } from './passwords.ts'
import { WINDOW } from './refusals.ts'
import { hasSecondFactor } from './second-factor.ts'
import { revokeOtherSessions } from './sessions.ts'

const ATTEMPTS = 5

/** The password of somebody already signed in: a stolen session must not be enough, nor a way to guess. */
export async function requireOwnPassword(tx: Db, aside: Db, actor: Actor, password: string, field: string) {
  const key = `password ${actor.userId}`
  await throttle(aside, key, ATTEMPTS, WINDOW)
  const user = await lockAccount(tx, actor.userId)
  if (!(await verifyPassword(user.passwordHash, password)))
    throw fieldError(field, 'Le mot de passe actuel est incorrect.')
  await forgive(aside, key)
  return user
}

/** The caller has checked the current password. */
export async function changePassword(tx: Db, actor: Person, user: Account, current: string, password: string) {
  if (password === current) throw fieldError('password', 'Choisissez un mot de passe différent de l’actuel.')
  const inOffice = await worksSomewhere(tx, user.id)
  requireStrong(password, { inOffice, secondFactor: await hasSecondFactor(tx, user.id), email: user.email })
  await lockCredentials(tx, user.id)
  await tx
    .update(users)
    .set(await keptPassword(password))
    .where(eq(users.id, user.id))
  await endResetLinks(tx, user.id)
  await revokeOtherSessions(tx, actor)
}
