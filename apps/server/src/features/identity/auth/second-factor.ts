import { randomInt } from 'node:crypto'
import { and, eq, isNull, lt, or } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import type { Db } from '../../../db/client.ts'
import { companies, memberships, passkeys, recoveryCodes, signIns, users } from '../../../db/schema/index.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { type Secrets, sha256 } from '../../../secrets.ts'
import {
  hasOfficeMembership,
  isActiveMembership,
  isOfficeMembership,
  lockUserAccount,
  type UserAccount,
} from './accounts.ts'
import { isLongPassword, MIN_ADMIN_PASSWORD_LENGTH } from './passwords.ts'

type TotpAccount = { id: string; totpSecret: string | null }

export const buildTotp = (secret: string, label: string) =>
  new TOTP({ issuer: 'Voisol', label, secret: Secret.fromBase32(secret) })
export const getTotpSealContext = (userId: string) => `totp ${userId}`
export const hashRecoveryCode = (code: string) => sha256(code.toLowerCase().replace(/[^a-z0-9]/g, ''))

type SecondFactorKind = 'code' | 'passkey'

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

async function consumeTotpCode(tx: Db, secrets: Secrets, user: TotpAccount, code: string): Promise<boolean> {
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
