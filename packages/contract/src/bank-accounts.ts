import { z } from 'zod'
import './validation-messages.ts'
import { Bic } from './party-numbers.ts'
import { Id, Text, Version } from './primitives.ts'

/**
 * The error of a SEPA creditor identifier (ICS), or null: its check digits are computed as those of an IBAN, over the
 * national part.
 */
export function getIcsError(ics: string): string | null {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{3}[A-Z0-9]{1,28}$/.test(ics))
    return 'Un ICS commence par deux lettres, deux chiffres et trois caractères, par exemple FR72 ZZZ 123456.'
  if (ics.startsWith('FR') && ics.length !== 13)
    return `Un ICS français compte treize caractères, par exemple FR72 ZZZ 123456\u00a0: celui-ci en compte ${ics.length}.`
  const digits = (ics.slice(7) + ics.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return BigInt(digits) % 97n === 1n
    ? null
    : 'La clé de contrôle de cet ICS n’est pas la bonne\u00a0: vérifiez chaque caractère.'
}
/** Spaces are accepted; empty where no debits are made for the account. */
export const Ics = z
  .string()
  .max(60)
  .transform((text) => text.replace(/[\s.-]/g, '').toUpperCase())
  .superRefine((text, context) => {
    const message = text === '' ? null : getIcsError(text)
    if (message) context.addIssue({ code: 'custom', message })
  })
export const PainVersion = z.enum(['08', '02'])

/** `firstMarked`: its bank asks for FRST on the first debit of a mandate; absent leaves it as it is. */
const accountFields = { name: Text, bic: Bic, ics: Ics, painVersion: PainVersion, firstMarked: z.boolean().optional() }
export const BankAccountDraft = z.strictObject({ ...accountFields, ownerId: Id, iban: z.string().min(1).max(60) })
/** An absent IBAN stays as it is, since it is never shown again. */
export const BankAccountUpdate = z.strictObject({
  ...accountFields,
  iban: z.string().max(60).optional(),
  version: Version,
})
export const BankAccount = z.object({
  id: Id,
  ownerId: Id,
  owner: z.string(),
  name: z.string(),
  kind: z.enum(['bank', 'online']),
  ibanEnd: z.string(),
  bic: z.string(),
  ics: z.string(),
  painVersion: PainVersion,
  firstMarked: z.boolean(),
  /** Number of lines to be handled, and last day covered by the statements. */
  open: z.int(),
  until: z.iso.date().nullable(),
  version: z.int(),
})
export type BankAccount = z.infer<typeof BankAccount>
