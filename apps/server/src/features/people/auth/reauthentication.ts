import type { ReauthenticationProof } from '@voisol/contract/reauthentication'
import { and, eq, sql } from 'drizzle-orm'
import { sessions } from '../../../db/schema/index.ts'
import type { Person } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import type { Context } from '../../../http/route.ts'
import { forgive, throttle } from '../../../http/throttle.ts'
import { type Account, lockAccount } from './accounts.ts'
import { requireOwnPassword } from './own-password.ts'
import { partyOf } from './passkey-challenges.ts'
import { usePasskey } from './passkey-check.ts'
import { WINDOW } from './refusals.ts'

const MAX_PASSKEY_ATTEMPTS = 10
/** An identity provider is asked anew when it vouched for the person longer ago than this. */
export const MAX_SSO_AGE_MINUTES = 15

type Asked = Pick<Context<Person>, 'db' | 'aside' | 'actor' | 'config' | 'request'>

/** Proves again who acts before something sensitive is done, and gives their account, held until the transaction ends. */
export async function requireReauthentication(
  ctx: Asked,
  { password, passkey }: ReauthenticationProof,
): Promise<Account> {
  const { db, aside, actor } = ctx
  if (passkey) return requireOwnPasskey(ctx, passkey)
  if (password !== undefined) return requireOwnPassword(db, aside, actor, password, 'password')
  if (actor.openedWith !== 'sso')
    throw fieldError('password', 'Saisissez votre mot de passe, ou utilisez votre clé d’accès, pour confirmer.')
  await requireRecentSso(ctx)
  return lockAccount(db, actor.userId)
}

/** An assertion is good once, because its challenge is; it must come from a passkey of the person who acts. */
async function requireOwnPasskey(
  { db, aside, actor, config, request }: Asked,
  passkey: NonNullable<ReauthenticationProof['passkey']>,
): Promise<Account> {
  const key = `own passkey ${actor.userId}`
  await throttle(aside, key, MAX_PASSKEY_ATTEMPTS, WINDOW)
  const used = await usePasskey(db, aside, partyOf(request, config), passkey).catch(() => undefined)
  if (used?.userId !== actor.userId) throw fieldError('passkey', 'Cette clé d’accès n’a pas été reconnue. Recommencez.')
  await forgive(aside, key)
  return lockAccount(db, actor.userId)
}

async function requireRecentSso({ db, actor }: Asked) {
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
