import { randomInt } from 'node:crypto'
import { and, eq, or } from 'drizzle-orm'
import { Secret } from 'otpauth'
import type { Db } from '../../../db/client.ts'
import { companies, memberships, passkeys, recoveryCodes, signIns, users } from '../../../db/schema/index.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import type { Secrets } from '../../../secrets.ts'
import { type Account, isActive, lockAccount, worksSomewhere, worksThere } from './accounts.ts'
import { ADMIN_LENGTH, isLong } from './passwords.ts'
import { hasSecondFactor, recoveryHash, secretPlace, spendTotpCode, totp } from './second-factor.ts'

const CODES = 10
/** Without the letters and digits that are read for one another. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

const letters = (n: number) => Array.from({ length: n }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
const newCode = () => `${letters(4)}-${letters(4)}-${letters(4)}`

/** Prepares a secret; nothing is asked at sign-in until a first code has proved that the application has it. */
export async function startSecondFactor(tx: Db, secrets: Secrets, userId: string) {
  const user = await lockAccount(tx, userId)
  if (user.totpEnabledAt) throw new AppError('conflict', { message: 'La double authentification est déjà activée.' })
  const secret = new Secret({ size: 20 }).base32
  const totpSecret = secrets.seal(secret, secretPlace(userId))
  await tx.update(users).set({ totpSecret }).where(eq(users.id, userId))
  await tx.update(signIns).set({ totpStep: 0 }).where(eq(signIns.userId, userId))
  return { secret, uri: totp(secret, user.email).toString() }
}

export async function enableSecondFactor(tx: Db, secrets: Secrets, userId: string, code: string): Promise<string[]> {
  const user = await lockAccount(tx, userId)
  if (user.totpEnabledAt) throw new AppError('conflict', { message: 'La double authentification est déjà activée.' })
  if (!user.totpSecret)
    throw new AppError('conflict', { message: 'Préparez d’abord la double authentification, puis saisissez le code.' })
  if (!(await spendTotpCode(tx, secrets, user, code)))
    throw fieldError('code', 'Ce code n’est pas valable. Saisissez le code affiché maintenant.')
  await tx.update(users).set({ totpEnabledAt: new Date() }).where(eq(users.id, userId))
  return makeRecoveryCodes(tx, userId)
}

/** The caller has checked the password. An administrator left with the password alone needs a long one. */
export async function disableSecondFactor(tx: Db, user: Account, password: string) {
  requireEnabled(user)
  await tx.update(users).set({ totpSecret: null, totpEnabledAt: null }).where(eq(users.id, user.id))
  await requireAnother(tx, user, password)
}

/** The caller has checked the password. */
export async function removePasskey(tx: Db, user: Account, id: string, password: string) {
  await tx.delete(passkeys).where(eq(passkeys.id, id))
  await requireAnother(tx, user, password)
}

/** Without another second factor, neither the company nor the length of the password may ask for one. */
async function requireAnother(tx: Db, user: Account, password: string) {
  if (await hasSecondFactor(tx, user.id)) return
  await requireNotAsked(tx, user.id)
  if ((await worksSomewhere(tx, user.id)) && !isLong(password))
    throw fieldError(
      'password',
      `Sans double authentification, le mot de passe d’un administrateur compte au moins ${ADMIN_LENGTH} caractères : changez-le d’abord.`,
      'weak-password',
    )
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, user.id))
}

/** What one of their companies asks of them is not theirs to take off. */
async function requireNotAsked(tx: Db, userId: string) {
  const [asking] = await tx
    .select({ name: companies.name })
    .from(memberships)
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .where(
      and(
        eq(memberships.userId, userId),
        isActive,
        or(eq(companies.secondFactor, 'everyone'), and(eq(companies.secondFactor, 'office'), worksThere)),
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
export async function renewRecoveryCodes(tx: Db, user: Account) {
  if (!(await hasSecondFactor(tx, user.id))) requireEnabled(user)
  return makeRecoveryCodes(tx, user.id)
}

/** Those that come with the first second factor; whoever has one keeps the codes they have. */
export const firstRecoveryCodes = async (tx: Db, user: Account): Promise<string[] | null> =>
  (await hasSecondFactor(tx, user.id)) ? null : makeRecoveryCodes(tx, user.id)

function requireEnabled(user: Account) {
  if (!user.totpEnabledAt) throw new AppError('conflict', { message: 'La double authentification n’est pas activée.' })
}

/** Shown once; only their hashes stay. Those before them stop. */
async function makeRecoveryCodes(tx: Db, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode)
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, codeHash: recoveryHash(code) })))
  return codes
}
