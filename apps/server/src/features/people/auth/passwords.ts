import { hash, verify } from '@node-rs/argon2'
import { fieldError } from '../../../http/errors.ts'
import { isCommon } from './common-passwords.ts'

/** OWASP's floor for argon2id: 19 MiB, two passes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string) => hash(password, COST)

/** How a password is kept: what proves it, and whether it does for an administrator. */
export const keptPassword = async (password: string) => ({
  passwordHash: await hashPassword(password),
  passwordLong: isLong(password),
})

let decoy: Promise<string> | undefined
/** An unknown account costs the same work as a wrong password, so that the time of the answer tells nothing. */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('a password nobody has')
  const matched = await verify(stored ?? (await decoy), password)
  return matched && Boolean(stored)
}

export const ADMIN_LENGTH = 15
export const isLong = (password: string) => passwordLength(password) >= ADMIN_LENGTH
/** Characters as a person counts them. */
export const passwordLength = (password: string) => [...password].length

/** Length and rarity decide; no rule of composition. */
export function requireStrong(password: string, who: { inOffice: boolean; secondFactor: boolean; email: string }) {
  const least = who.inOffice && !who.secondFactor ? ADMIN_LENGTH : 12
  if (passwordLength(password) < least)
    throw fieldError('password', `Le mot de passe doit compter au moins ${least} caractères.`, 'weak-password')
  if (isCommon(password, who.email))
    throw fieldError(
      'password',
      'Ce mot de passe est trop courant : une phrase de plusieurs mots convient mieux.',
      'weak-password',
    )
}
