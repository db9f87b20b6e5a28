import { fieldError } from '../../../http/errors.ts'
import type { Secrets } from '../../../secrets.ts'
import { compactIban, findIbanError } from '../../energy/participants/participants.ts'

/** What an account is known by where it may not be read: equal for equal accounts, whoever wrote it. */
export const computeIbanFingerprint = (secrets: Secrets, iban: string) => secrets.print(compactIban(iban), 'iban')

/** A number that was typed, checked; refused in words that say what is expected. */
export function requireValidIban(text: string): string {
  const iban = compactIban(text)
  const fault = findIbanError(iban)
  if (fault) throw fieldError('iban', fault)
  return iban
}

/** As it is kept: sealed for its place, with its end and its print. */
export const sealAccountIban = (secrets: Secrets, place: string, iban: string) => ({
  iban: secrets.seal(iban, place),
  ibanEnd: iban.slice(-4),
  ibanPrint: computeIbanFingerprint(secrets, iban),
})
