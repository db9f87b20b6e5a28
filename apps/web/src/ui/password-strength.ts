export type PasswordStrength = { level: 0 | 1 | 2 | 3; words: string }

const MIN_PASSWORD_LENGTH = 12

/** Length makes a password strong; no rule about signs or capitals, but a repeated pattern is named. */
export function getPasswordStrength(password: string): PasswordStrength {
  const length = [...password].length
  if (length < MIN_PASSWORD_LENGTH)
    return { level: 0, words: `Trop court\u00a0: ${MIN_PASSWORD_LENGTH}\u00a0caractères au moins` }
  if (new Set(password).size < 6 || /^(.{1,4})\1+$/.test(password))
    return { level: 1, words: 'Faible\u00a0: trop répétitif' }
  return length < 16 ? { level: 2, words: 'Correct' } : { level: 3, words: 'Fort' }
}
