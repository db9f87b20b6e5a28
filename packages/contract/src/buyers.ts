import { z } from 'zod'
import { ListQuery } from './list.ts'
import { BuyerKind, UnitPrice } from './money.ts'
import { CheckedSiret, Country, VatNumber } from './party-numbers.ts'
import { Address, Id, OptionalEmail, OptionalText, Text, Version } from './primitives.ts'
import { PartyIssue } from './sellers.ts'

export const BuyerDelivery = z.enum(['mail', 'portal', 'chorus'])
export type BuyerDelivery = z.infer<typeof BuyerDelivery>

const buyerFields = {
  kind: BuyerKind,
  /** Empty: the participant's own name. */
  legalName: OptionalText,
  jointHolders: z.array(Text).max(6),
  siret: CheckedSiret,
  vatNumber: VatNumber,
  /** Of a public body: the service that pays, and its order. */
  serviceCode: z.string().trim().max(100),
  engagement: z.string().trim().max(100),
  /** Without an address the participant's own is printed, whole. */
  address: Address,
  postalCode: z.string().trim().max(12),
  city: OptionalText,
  country: Country,
  email: OptionalEmail,
  delivery: BuyerDelivery,
  groupId: Id.nullable(),
  /** Empty: by the subscribed power. */
  acciseClass: z.string().trim().max(40),
}
/** `version` is 0 where nothing was said yet. */
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

/** What was said for invoices, and what is printed with what the sheet says. */
export const Buyer = z.object({
  id: Id,
  /** The participant's own name, as the sheet has it. */
  sheetName: z.string(),
  ...buyerFields,
  /** As printed. */
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
  /** Only those of whom something is missing for an invoice. */
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
  /** No sale: what is shared among the buildings of one owner is told, not invoiced. */
  patrimonial: z.boolean(),
  monthsPerInvoice: z.literal([1, 2, 3, 6, 12]),
  /** The organiser as a seller of fees. */
  organiserId: Id.nullable(),
  /** To warn of: a price above the supplier's, or below what the surplus is worth. */
  supplierPrice: Price,
  surplusPrice: Price,
}
export const OperationTerms = z.object({ ...termsFields, version: z.int() })
export type OperationTerms = z.infer<typeof OperationTerms>
export const TermsUpdate = z.strictObject({ ...termsFields, version: z.int().min(0) })
export const GroupUpdate = NewBuyerGroup.extend({ version: Version })
