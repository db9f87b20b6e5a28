import { hash, verify } from '@node-rs/argon2'
import { fieldError } from '../../../http/errors.ts'

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

const COMMON_WORDS = [
  'password',
  'motdepasse',
  'azerty',
  'qwerty',
  'administrateur',
  'administrator',
  'bienvenue',
  'welcome',
  'soleil',
  'bonjour',
  'letmein',
  'iloveyou',
  'jetaime',
  'voisol',
  'changeme',
  'secret',
  'france',
  'doudou',
  'loulou',
  'marseille',
  'chouchou',
  'dragon',
  'football',
  'monkey',
  'princess',
  'sunshine',
  'superman',
  'starwars',
  'energie',
  'electricite',
]
const KEYBOARD_RUNS = [
  'abcdefghijklmnopqrstuvwxyz',
  'azertyuiopqsdfghjklmwxcvbn',
  'qwertyuiopasdfghjklzxcvbnm',
  '01234567890123456789',
  '98765432109876543210',
  '1q2w3e4r5t6y7u8i9o0p',
  '1a2z3e4r5t6y7u8i9o0p',
]

const LOOKALIKES: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}
const normalizePassword = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z0-9@$!]/g, '')
    .replace(/[013457@$!]/g, (c) => LOOKALIKES[c] ?? c)

/** Removes common words, years and keyboard sequences: a real passphrase has something left. */
function isCommonPassword(password: string, email: string): boolean {
  const lower = password.toLowerCase()
  if (new Set(lower).size < 5) return true
  if (KEYBOARD_RUNS.some((run) => lower.length >= 6 && (run.includes(lower) || lower.includes(run.slice(0, 12)))))
    return true
  const own = (email.split('@')[0] ?? '').toLowerCase()
  const words = [...COMMON_WORDS, ...(own.length >= 4 ? [normalizePassword(own)] : [])]
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), normalizePassword(lower))
  return rest.replace(/\d/g, '').length < 3 && rest.length < 10
}
