import { z } from 'zod'
import './validation-messages.ts'

const removeSeparators = (text: string) => text.replace(/[\s.]/g, '')

/** Every second digit from the right counts double, its own digits added: the sum of a good number ends in 0. */
export function isLuhnValid(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

const LA_POSTE_SIREN = '356000000'
/** The post offices were given numbers whose plain digits add up to a multiple of 5. */
const isSiretChecksumValid = (siret: string) =>
  isLuhnValid(siret) ||
  (siret.startsWith(LA_POSTE_SIREN) && [...siret].reduce((sum, digit) => sum + Number(digit), 0) % 5 === 0)

/** What is wrong with a SIREN, or nothing. */
function getSirenError(siren: string): string | null {
  if (!/^\d{9}$/.test(siren)) return 'Un SIREN compte neuf chiffres, par exemple 552 081 317.'
  return isLuhnValid(siren) ? null : 'La clé de contrôle de ce SIREN n’est pas la bonne\u00a0: vérifiez chaque chiffre.'
}
export function getSiretError(siret: string): string | null {
  if (!/^\d{14}$/.test(siret)) return 'Un SIRET compte quatorze chiffres, par exemple 552 081 317 66522.'
  return isSiretChecksumValid(siret)
    ? null
    : 'La clé de contrôle de ce SIRET n’est pas la bonne\u00a0: vérifiez chaque chiffre.'
}

/** The number that a French SIREN gives. */
export const buildFrenchVatNumber = (siren: string) => {
  const key = (12 + 3 * (Number(siren) % 97)) % 97
  return `FR${String(key).padStart(2, '0')}${siren}`
}
/** A French number is its SIREN behind two characters; where both are digits they are a key. Others are known by their shape. */
export function getVatNumberError(number: string): string | null {
  if (!number.startsWith('FR'))
    return /^[A-Z]{2}[A-Z0-9+*]{2,12}$/.test(number)
      ? null
      : 'Un numéro de TVA commence par deux lettres, par exemple FR 03 552081317.'
  if (!/^FR[A-HJ-NP-Z0-9]{2}\d{9}$/.test(number))
    return 'Un numéro de TVA français compte FR, deux caractères et le SIREN, par exemple FR 03 552081317.'
  const siren = number.slice(4)
  const fault = getSirenError(siren)
  if (fault) return fault
  return /^FR\d\d/.test(number) && number !== buildFrenchVatNumber(siren)
    ? `La clé de ce numéro de TVA n’est pas celle du SIREN ${siren}\u00a0: ${buildFrenchVatNumber(siren)} est attendu.`
    : null
}

const buildNumberSchema = (fault: (text: string) => string | null) =>
  z
    .string()
    .max(40)
    .transform((text) => removeSeparators(text).toUpperCase())
    .superRefine((text, context) => {
      const message = text === '' ? null : fault(text)
      if (message) context.addIssue({ code: 'custom', message })
    })
/** Pasted with or without spaces, their keys checked; empty where there is none. */
export const CheckedSiren = buildNumberSchema(getSirenError)
export const CheckedSiret = buildNumberSchema(getSiretError)
export const VatNumber = buildNumberSchema(getVatNumberError)

/** Begins every number of a series: what a receiver's software takes, and room for year and rank. */
export const InvoicePrefix = z
  .string()
  .transform((text) => removeSeparators(text).toUpperCase())
  .pipe(
    z
      .string()
      .min(1)
      .max(12)
      .regex(/^[A-Z0-9_/+-]+$/, 'Lettres sans accent, chiffres, - _ / + sont attendus, par exemple TILLEULS-.'),
  )
/** ISO 3166, two letters. */
export const Country = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, 'Un pays s’écrit en deux lettres, par exemple FR.')
export const Bic = z
  .string()
  .max(20)
  .transform((text) => removeSeparators(text).toUpperCase())
  .refine(
    (text) => text === '' || /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(text),
    'Un BIC compte huit ou onze caractères, par exemple AGRIFRPP.',
  )

/** The number of a public body at PayFiP, « 012345 »; empty where its invoices are not paid there. */
export const Payfip = z
  .string()
  .max(20)
  .transform(removeSeparators)
  .refine(
    (text) => text === '' || /^\d{6}$/.test(text),
    'Un identifiant PayFiP compte six chiffres, par exemple 012345.',
  )
/** What PayFiP knows a document by: its number, letters and digits alone. */
export const toPayfipReference = (number: string) => number.replace(/[^A-Za-z0-9]/g, '').toUpperCase()

/** A SIRET and a French VAT number bear the SIREN they belong to. */
export function checkNumbersAgree(
  { siren, siret, vatNumber }: { siren: string; siret: string; vatNumber: string },
  context: z.RefinementCtx,
) {
  const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (siren && siret && !siret.startsWith(siren))
    refuse('siret', `Ce SIRET n’est pas celui du SIREN ${siren}\u00a0: ses neuf premiers chiffres en diffèrent.`)
  if (siren && vatNumber.startsWith('FR') && vatNumber.slice(4) !== siren)
    refuse(
      'vatNumber',
      `Ce numéro de TVA n’est pas celui du SIREN ${siren}\u00a0: ${buildFrenchVatNumber(siren)} est attendu.`,
    )
}
