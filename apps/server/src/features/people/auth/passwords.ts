import { hash, verify } from '@node-rs/argon2'
import { fieldError } from '../../../http/errors.ts'
import { isCommonPassword } from './common-passwords.ts'

/** The OWASP minimum for argon2id: 19 MiB and two passes. */
const ARGON2_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string) => hash(password, ARGON2_COST)

/** The stored columns of a password: its hash, and whether it is long enough for an administrator. */
export const buildPasswordColumns = async (password: string) => ({
  passwordHash: await hashPassword(password),
  passwordLong: isLongPassword(password),
})

let decoyHash: Promise<string> | undefined
/** An unknown account costs the same work as a wrong password, so that the response time reveals nothing. */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  decoyHash ??= hashPassword('a password nobody has')
  const matched = await verify(stored ?? (await decoyHash), password)
  return matched && Boolean(stored)
}

export const MIN_ADMIN_PASSWORD_LENGTH = 15
export const isLongPassword = (password: string) => countPasswordCharacters(password) >= MIN_ADMIN_PASSWORD_LENGTH
/** Characters as people count them: code points. */
export const countPasswordCharacters = (password: string) => [...password].length

/** Checks length and rarity only; no composition rule. */
export function requireStrongPassword(
  password: string,
  who: { inOffice: boolean; secondFactor: boolean; email: string },
) {
  const minLength = who.inOffice && !who.secondFactor ? MIN_ADMIN_PASSWORD_LENGTH : 12
  if (countPasswordCharacters(password) < minLength)
    throw fieldError('password', `Le mot de passe doit compter au moins ${minLength} caractères.`, 'weak-password')
  if (isCommonPassword(password, who.email))
    throw fieldError(
      'password',
      'Ce mot de passe est trop courant : une phrase de plusieurs mots convient mieux.',
      'weak-password',
    )
}
