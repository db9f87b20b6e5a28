import type { ReauthenticationProof } from '@voisol/contract/reauthentication'
import { and, eq, sql } from 'drizzle-orm'
import { sessions } from '../../../db/schema/index.ts'
import type { PersonActor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import type { RouteContext } from '../../../http/route.ts'
import { refundAttempts, throttle } from '../../../http/throttle.ts'
import { lockUserAccount, type UserAccount } from './accounts.ts'
import { requireOwnPassword } from './change-password.ts'
import { getRelyingParty } from './passkey-challenges.ts'
import { authenticateWithPasskey } from './passkeys.ts'
import { ATTEMPT_WINDOW_SECONDS } from './sign-in-attempts.ts'

const MAX_PASSKEY_ATTEMPTS = 10
/** An SSO session older than this must authenticate again. */
const MAX_SSO_AGE_MINUTES = 15

type ReauthenticationContext = Pick<RouteContext<PersonActor>, 'db' | 'aside' | 'actor' | 'config' | 'request'>

/**
 * Requires a fresh authentication before a sensitive action, and returns the account, locked until the end of the
 * transaction.
 */
export async function requireReauthentication(
  ctx: ReauthenticationContext,
  { password, passkey }: ReauthenticationProof,
): Promise<UserAccount> {
  const { db, aside, actor } = ctx
  if (passkey) return requireOwnPasskey(ctx, passkey)
  if (password !== undefined) return requireOwnPassword(db, aside, actor, password, 'password')
  if (actor.openedWith !== 'sso')
    throw fieldError('password', 'Saisissez votre mot de passe, ou utilisez votre clé d’accès, pour confirmer.')
  await requireRecentSso(ctx)
  return lockUserAccount(db, actor.userId)
}

/** A passkey assertion of the user; it is valid once, because its challenge is. */
async function requireOwnPasskey(
  { db, aside, actor, config, request }: ReauthenticationContext,
  passkey: NonNullable<ReauthenticationProof['passkey']>,
): Promise<UserAccount> {
  const key = `own passkey ${actor.userId}`
  await throttle(aside, key, MAX_PASSKEY_ATTEMPTS, ATTEMPT_WINDOW_SECONDS)
  const used = await authenticateWithPasskey(db, aside, getRelyingParty(request, config), passkey).catch(
    () => undefined,
  )
  if (used?.userId !== actor.userId) throw fieldError('passkey', 'Cette clé d’accès n’a pas été reconnue. Recommencez.')
  await refundAttempts(aside, key)
  return lockUserAccount(db, actor.userId)
}

async function requireRecentSso({ db, actor }: ReauthenticationContext) {
  const [recent] = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(
        eq(sessions.id, actor.sessionId),
        sql`${sessions.createdAt} > now() - make_interval(mins => ${MAX_SSO_AGE_MINUTES})`,
      ),
    )
  if (!recent)
    throw new AppError('forbidden', {
      message:
        'Cette action demande une connexion récente\u00a0: déconnectez-vous, revenez par la connexion d’entreprise, puis recommencez dans les quinze minutes.',
    })
}
