import { z } from 'zod'
import { BuyerKind, UnitPrice } from './money.ts'
import { CheckedSiret, Country, VatNumber } from './party-numbers.ts'
import { Address, Id, ListQuery, OptionalEmail, OptionalText, Text, Version } from './primitives.ts'
import { PartyIssue } from './sellers.ts'

export const BuyerDelivery = z.enum(['mail', 'portal', 'chorus'])
export type BuyerDelivery = z.infer<typeof BuyerDelivery>

const buyerFields = {
  kind: BuyerKind,
  /** Empty: the participant's name is used. */
  legalName: OptionalText,
  jointHolders: z.array(Text).max(6),
  siret: CheckedSiret,
  vatNumber: VatNumber,
  /** For a public body: the service that pays, and its order number (Chorus Pro). */
  serviceCode: z.string().trim().max(100),
  engagement: z.string().trim().max(100),
  /** Without an address the participant's own is printed. */
  address: Address,
  postalCode: z.string().trim().max(12),
  city: OptionalText,
  country: Country,
  email: OptionalEmail,
  delivery: BuyerDelivery,
  groupId: Id.nullable(),
  /** Empty: derived from the subscribed power. */
  acciseClass: z.string().trim().max(40),
}
/** `version` is 0 before the first save. */
export const BuyerUpdate = z.strictObject({ ...buyerFields, version: z.int().min(0) }).superRefine((value, context) => {
  const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (value.kind !== 'person' && value.jointHolders.length)
    refuse('jointHolders', 'Seul un logement de particuliers a des cotitulaires.')
  if (value.kind !== 'public' && value.delivery === 'chorus')
    refuse('delivery', 'Chorus Pro reçoit les factures des personnes publiques.')
  if (value.kind === 'public' && value.delivery === 'chorus' && !value.siret)
    refuse('siret', 'Chorus Pro demande le SIRET de la personne publique.')
  if (!value.address && (value.postalCode || value.city))
    refuse('address', 'Une adresse se donne en entier\u00a0: il manque la voie, par exemple 7 rue du Four.')
  if (value.address && (!value.postalCode || !value.city))
    refuse('address', 'Une adresse se donne en entier\u00a0: il manque le code postal ou la commune.')
})

/** What was entered for invoices, and what is printed once the participant's data are added. */
export const Buyer = z.object({
  id: Id,
  /** The name in the participant's record. */
  sheetName: z.string(),
  ...buyerFields,
  /** The name as printed. */
  name: z.string(),
  siren: z.string(),
  printedAddress: z.string(),
  groupName: z.string(),
  issues: z.array(PartyIssue),
  version: z.int(),
})
export type Buyer = z.infer<typeof Buyer>

export const BuyerQuery = ListQuery.extend({
  kind: BuyerKind.optional(),
  groupId: Id.optional(),
  /** Only buyers with something missing for an invoice. */
  missing: z.enum(['true']).optional(),
})

export const BuyerGroup = z.object({
  id: Id,
  name: z.string(),
  note: z.string(),
  members: z.int(),
  version: z.int(),
})
export type BuyerGroup = z.infer<typeof BuyerGroup>
export const NewBuyerGroup = z.strictObject({ name: Text.max(60), note: z.string().trim().max(500).default('') })

const Price = UnitPrice.nullable()
const termsFields = {
  /** Energy shared among the buildings of one owner is not a sale: it is reported, not invoiced. */
  patrimonial: z.boolean(),
  monthsPerInvoice: z.literal([1, 2, 3, 6, 12]),
  /** The organiser, as the seller of its fees. */
  organiserId: Id.nullable(),
  /** Reference prices for a warning: above the supplier's price, or below the value of the surplus. */
  supplierPrice: Price,
  surplusPrice: Price,
}
export const OperationTerms = z.object({ ...termsFields, version: z.int() })
export type OperationTerms = z.infer<typeof OperationTerms>
export const TermsUpdate = z.strictObject({ ...termsFields, version: z.int().min(0) })
export const GroupUpdate = NewBuyerGroup.extend({ version: Version })
