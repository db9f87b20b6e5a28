/** How long an account number is, by country of the single euro payments area. */
const IBAN_LENGTHS: Record<string, number> = {
  AD: 24,
  AT: 20,
  BE: 16,
  BG: 22,
  CH: 21,
  CY: 28,
  CZ: 24,
  DE: 22,
  DK: 18,
  EE: 20,
  ES: 24,
  FI: 18,
  FR: 27,
  GB: 22,
  GI: 23,
  GR: 27,
  HR: 21,
  HU: 28,
  IE: 22,
  IS: 26,
  IT: 27,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  MC: 27,
  MT: 31,
  NL: 18,
  NO: 15,
  PL: 28,
  PT: 25,
  RO: 24,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  VA: 22,
}

export const compactIban = (text: string) => text.replace(/[\s.-]/g, '').toUpperCase()

/**
 * The error of an IBAN, or null. ISO 13616: with the first four characters moved to the end and letters as numbers, the
 * remainder by 97 is 1.
 */
export function findIbanError(iban: string): string | null {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(iban))
    return 'Un IBAN commence par deux lettres et deux chiffres, par exemple FR76 3000 6000 0112 3456 7890 189.'
  const length = IBAN_LENGTHS[iban.slice(0, 2)]
  if (!length)
    return `Le pays ${iban.slice(0, 2)} n’est pas de la zone SEPA\u00a0: le prélèvement n’y est pas possible.`
  if (iban.length !== length)
    return `Un IBAN ${iban.slice(0, 2)} compte ${length} caractères\u00a0: celui-ci en compte ${iban.length}.`
  const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return BigInt(digits) % 97n === 1n
    ? null
    : 'La clé de contrôle de cet IBAN n’est pas la bonne\u00a0: vérifiez chaque caractère.'
}
