import { and, eq, isNull, lt } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import type { Db } from '../../../db/client.ts'
import { passkeys, recoveryCodes, signIns, users } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { type Secrets, sha256 } from '../../../secrets.ts'

type TotpAccount = { id: string; totpSecret: string | null }

export const buildTotp = (secret: string, label: string) =>
  new TOTP({ issuer: 'Voisol', label, secret: Secret.fromBase32(secret) })
export const getTotpSealContext = (userId: string) => `totp ${userId}`
export const hashRecoveryCode = (code: string) => sha256(code.toLowerCase().replace(/[^a-z0-9]/g, ''))

export type SecondFactorKind = 'code' | 'passkey'

/** The second factors that an account can use. */
export async function listSecondFactors(
  db: Db,
  user: { id: string; totpEnabledAt: Date | null },
): Promise<SecondFactorKind[]> {
  const keys = await db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, user.id)).limit(1)
  return [...(user.totpEnabledAt ? ['code' as const] : []), ...(keys.length ? ['passkey' as const] : [])]
}

export async function hasSecondFactor(db: Db, userId: string): Promise<boolean> {
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  return user !== undefined && (await listSecondFactors(db, user)).length > 0
}

const FACTOR_PROMPTS: Record<SecondFactorKind, string> = {
  code: 'Saisissez le code de votre application d’authentification.',
  passkey: 'Utilisez votre clé d’accès.',
}

/** The issues name the factors of the account, so that the form offers only these. */
export const buildSecondFactorRequiredError = (factors: SecondFactorKind[]) =>
  new AppError('second-factor-required', { issues: factors.map((path) => ({ path, message: FACTOR_PROMPTS[path] })) })

/**
 * True when the six digits are valid now (with one step of tolerance) and were not used before, or when the recovery
 * code is unused.
 */
export const checkSecondFactorCode = (tx: Db, secrets: Secrets, user: TotpAccount, code: string): Promise<boolean> =>
  /^\d{6}$/.test(code) ? consumeTotpCode(tx, secrets, user, code) : consumeRecoveryCode(tx, user.id, code)

export async function consumeTotpCode(tx: Db, secrets: Secrets, user: TotpAccount, code: string): Promise<boolean> {
  if (!user.totpSecret) return false
  const secret = secrets.open(user.totpSecret, getTotpSealContext(user.id))
  const delta = buildTotp(secret, user.id).validate({ token: code, window: 1 })
  if (delta === null) return false
  const step = Math.floor(Date.now() / 30_000) + delta
  // The condition is in the update itself: of two calls with the same code, one finds it used.
  const spent = await tx
    .insert(signIns)
    .values({ userId: user.id, totpStep: step })
    .onConflictDoUpdate({ target: signIns.userId, set: { totpStep: step }, setWhere: lt(signIns.totpStep, step) })
    .returning({ id: signIns.userId })
  return spent.length > 0
}

async function consumeRecoveryCode(tx: Db, userId: string, code: string): Promise<boolean> {
  const spent = await tx
    .update(recoveryCodes)
    .set({ usedAt: new Date() })
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        eq(recoveryCodes.codeHash, hashRecoveryCode(code)),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning()
  return spent.length > 0
}
