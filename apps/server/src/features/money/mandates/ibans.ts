import { fieldError } from '../../../http/errors.ts'
import type { Secrets } from '../../../secrets.ts'
import { compactIban, findIbanError } from '../../energy/participants/participants.ts'

/** A fingerprint to compare accounts without decrypting them: equal for equal IBANs. */
export const computeIbanFingerprint = (secrets: Secrets, iban: string) => secrets.print(compactIban(iban), 'iban')

/** Checks a typed IBAN, and refuses it with what is expected. */
export function requireValidIban(text: string): string {
  const iban = compactIban(text)
  const fault = findIbanError(iban)
  if (fault) throw fieldError('iban', fault)
  return iban
}

/** The stored columns of an IBAN: encrypted for its row, last digits and fingerprint. */
export const sealAccountIban = (secrets: Secrets, place: string, iban: string) => ({
  iban: secrets.seal(iban, place),
  ibanEnd: iban.slice(-4),
  ibanPrint: computeIbanFingerprint(secrets, iban),
})
