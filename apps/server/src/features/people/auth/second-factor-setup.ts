import { randomInt } from 'node:crypto'
import { and, eq, or } from 'drizzle-orm'
import { Secret } from 'otpauth'
import type { Db } from '../../../db/client.ts'
import { companies, memberships, passkeys, recoveryCodes, signIns, users } from '../../../db/schema/index.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import type { Secrets } from '../../../secrets.ts'
import {
  hasOfficeMembership,
  isActiveMembership,
  isOfficeMembership,
  lockUserAccount,
  type UserAccount,
} from './accounts.ts'
import { isLongPassword, MIN_ADMIN_PASSWORD_LENGTH } from './passwords.ts'
import { buildTotp, consumeTotpCode, getTotpSealContext, hashRecoveryCode, hasSecondFactor } from './second-factor.ts'

const RECOVERY_CODE_COUNT = 10
/** Without letters and digits that are easily confused. */
const RECOVERY_CODE_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

const generateLetters = (n: number) =>
  Array.from({ length: n }, () => RECOVERY_CODE_ALPHABET[randomInt(RECOVERY_CODE_ALPHABET.length)]).join('')
const generateRecoveryCode = () => `${generateLetters(4)}-${generateLetters(4)}-${generateLetters(4)}`

/** Prepares a secret; sign-in does not ask for it until a first code has proved that the authenticator has it. */
export async function startSecondFactor(tx: Db, secrets: Secrets, userId: string) {
  const user = await lockUserAccount(tx, userId)
  if (user.totpEnabledAt) throw new AppError('conflict', { message: 'La double authentification est déjà activée.' })
  const secret = new Secret({ size: 20 }).base32
  const totpSecret = secrets.seal(secret, getTotpSealContext(userId))
  await tx.update(users).set({ totpSecret }).where(eq(users.id, userId))
  await tx.update(signIns).set({ totpStep: 0 }).where(eq(signIns.userId, userId))
  return { secret, uri: buildTotp(secret, user.email).toString() }
}

export async function enableSecondFactor(tx: Db, secrets: Secrets, userId: string, code: string): Promise<string[]> {
  const user = await lockUserAccount(tx, userId)
  if (user.totpEnabledAt) throw new AppError('conflict', { message: 'La double authentification est déjà activée.' })
  if (!user.totpSecret)
    throw new AppError('conflict', { message: 'Préparez d’abord la double authentification, puis saisissez le code.' })
  if (!(await consumeTotpCode(tx, secrets, user, code)))
    throw fieldError('code', 'Ce code n’est pas valable. Saisissez le code affiché maintenant.')
  await tx.update(users).set({ totpEnabledAt: new Date() }).where(eq(users.id, userId))
  return replaceRecoveryCodes(tx, userId)
}

/** The caller has checked the password. An administrator left with only a password needs a long one. */
export async function disableSecondFactor(tx: Db, user: UserAccount, password: string) {
  requireTotpEnabled(user)
  await tx.update(users).set({ totpSecret: null, totpEnabledAt: null }).where(eq(users.id, user.id))
  await completeFactorRemoval(tx, user, password)
}

/** The caller has checked the password. */
export async function removePasskey(tx: Db, user: UserAccount, id: string, password: string) {
  await tx.delete(passkeys).where(eq(passkeys.id, id))
  await completeFactorRemoval(tx, user, password)
}

/** The last second factor can be removed only if neither a company nor a short password requires one. */
async function completeFactorRemoval(tx: Db, user: UserAccount, password: string) {
  if (await hasSecondFactor(tx, user.id)) return
  await requireSecondFactorOptional(tx, user.id)
  if ((await hasOfficeMembership(tx, user.id)) && !isLongPassword(password))
    throw fieldError(
      'password',
      `Sans double authentification, le mot de passe d’un administrateur compte au moins ${MIN_ADMIN_PASSWORD_LENGTH} caractères : changez-le d’abord.`,
      'weak-password',
    )
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, user.id))
}

/** Users cannot remove a second factor that one of their companies requires. */
async function requireSecondFactorOptional(tx: Db, userId: string) {
  const [asking] = await tx
    .select({ name: companies.name })
    .from(memberships)
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .where(
      and(
        eq(memberships.userId, userId),
        isActiveMembership,
        or(eq(companies.secondFactor, 'everyone'), and(eq(companies.secondFactor, 'office'), isOfficeMembership)),
      ),
    )
    .limit(1)
  if (asking)
    throw new AppError('conflict', {
      message: `${asking.name} demande la double authentification\u00a0: elle reste activée.`,
    })
}

export async function removeSecondFactor(tx: Db, userId: string) {
  await tx.update(users).set({ totpSecret: null, totpEnabledAt: null }).where(eq(users.id, userId))
  await tx.delete(passkeys).where(eq(passkeys.userId, userId))
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
}

/** The caller has checked the password. */
export async function renewRecoveryCodes(tx: Db, user: UserAccount) {
  if (!(await hasSecondFactor(tx, user.id))) requireTotpEnabled(user)
  return replaceRecoveryCodes(tx, user.id)
}

/** Recovery codes come with the first second factor; a user who has codes keeps them. */
export const createFirstRecoveryCodes = async (tx: Db, user: UserAccount): Promise<string[] | null> =>
  (await hasSecondFactor(tx, user.id)) ? null : replaceRecoveryCodes(tx, user.id)

function requireTotpEnabled(user: UserAccount) {
  if (!user.totpEnabledAt) throw new AppError('conflict', { message: 'La double authentification n’est pas activée.' })
}

/** Shows the codes once and stores their hashes. Earlier codes become invalid. */
async function replaceRecoveryCodes(tx: Db, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, generateRecoveryCode)
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, codeHash: hashRecoveryCode(code) })))
  return codes
}
