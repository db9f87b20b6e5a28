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
export function isCommonPassword(password: string, email: string): boolean {
  const lower = password.toLowerCase()
  if (new Set(lower).size < 5) return true
  if (KEYBOARD_RUNS.some((run) => lower.length >= 6 && (run.includes(lower) || lower.includes(run.slice(0, 12)))))
    return true
  const own = (email.split('@')[0] ?? '').toLowerCase()
  const words = [...COMMON_WORDS, ...(own.length >= 4 ? [normalizePassword(own)] : [])]
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), normalizePassword(lower))
  return rest.replace(/\d/g, '').length < 3 && rest.length < 10
}
