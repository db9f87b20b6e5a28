import { and, eq, isNull, lt } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import type { Db } from '../../../db/client.ts'
import { recoveryCodes, users } from '../../../db/schema/index.ts'
import { type Secrets, sha256 } from '../../../secrets.ts'

type Account = { id: string; totpSecret: string | null }

export const totp = (secret: string, label: string) =>
  new TOTP({ issuer: 'Voisol', label, secret: Secret.fromBase32(secret) })
export const secretPlace = (userId: string) => `totp ${userId}`
export const recoveryHash = (code: string) => sha256(code.toLowerCase().replace(/[^a-z0-9]/g, ''))

/** True when the six digits are of now (one step of tolerance) and were not used before, or when the recovery code is unused. */
export const checkSecondFactor = (tx: Db, secrets: Secrets, user: Account, code: string): Promise<boolean> =>
  /^\d{6}$/.test(code) ? spendTotpCode(tx, secrets, user, code) : spendRecoveryCode(tx, user.id, code)

export async function spendTotpCode(tx: Db, secrets: Secrets, user: Account, code: string): Promise<boolean> {
  if (!user.totpSecret) return false
  const secret = secrets.open(user.totpSecret, secretPlace(user.id))
  const delta = totp(secret, user.id).validate({ token: code, window: 1 })
  if (delta === null) return false
  const step = Math.floor(Date.now() / 30_000) + delta
  // The condition stands in the update itself: of two that bring the same code at once, one finds it spent.
  const spent = await tx
    .update(users)
    .set({ totpLastStep: step })
    .where(and(eq(users.id, user.id), lt(users.totpLastStep, step)))
    .returning({ id: users.id })
  return spent.length > 0
}

async function spendRecoveryCode(tx: Db, userId: string, code: string): Promise<boolean> {
  const spent = await tx
    .update(recoveryCodes)
    .set({ usedAt: new Date() })
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        eq(recoveryCodes.codeHash, recoveryHash(code)),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning()
  return spent.length > 0
}
