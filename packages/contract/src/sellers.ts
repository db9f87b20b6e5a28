import { z } from 'zod'
import { BasisPoints, Cents, UnitPrice, VatMode } from './money.ts'
import {
  Bic,
  CheckedSiren,
  CheckedSiret,
  Country,
  checkNumbersAgree,
  InvoicePrefix,
  Payfip,
  VatNumber,
} from './party-numbers.ts'
import { Address, Day, Id, Instant, OptionalEmail, OptionalText, PostalCode, Text, Version } from './primitives.ts'

/** What the organiser asks of a producer for its work: so much per kWh, a part of what is sold, so much a month. */
export const FeePart = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('perKwh'), price: UnitPrice }),
  z.strictObject({ kind: z.literal('percentNet'), bp: BasisPoints }),
  z.strictObject({ kind: z.literal('fixed'), amount: Cents.min(0).max(10_000_000) }),
])
export type FeePart = z.infer<typeof FeePart>

const identityFields = {
  name: Text,
  legalForm: OptionalText,
  siren: CheckedSiren,
  siret: CheckedSiret,
  vatNumber: VatNumber,
  address: Address,
  /** Abroad it is written otherwise. */
  postalCode: z.string().trim().max(12),
  city: OptionalText,
  country: Country,
  email: OptionalEmail,
  phone: OptionalText,
  prefix: InvoicePrefix,
  /** Absent leaves it as it is. */
  payfip: Payfip.optional(),
  managementFees: z.array(FeePart).max(6),
  managementFeeRate: BasisPoints,
}
type PostalPlace = { country: string; postalCode: string }
const checkPostalCode = ({ country, postalCode }: PostalPlace, context: z.RefinementCtx) => {
  const fault = country === 'FR' ? PostalCode.safeParse(postalCode).error?.issues[0]?.message : undefined
  if (fault) context.addIssue({ code: 'custom', path: ['postalCode'], message: fault })
}
type SellerNumbers = PostalPlace & { siren: string; siret: string; vatNumber: string }
const checkSeller = (value: SellerNumbers, context: z.RefinementCtx) => {
  checkNumbersAgree(value, context)
  checkPostalCode(value, context)
}

/** `participantId` is a producer; null is the organiser, who sells nothing but its fees. */
export const SellerDraft = z.strictObject({ ...identityFields, participantId: Id.nullable() }).superRefine(checkSeller)
export const SellerUpdate = z.strictObject({ ...identityFields, version: Version }).superRefine(checkSeller)
export const SellerBank = z.strictObject({
  /** Empty removes it; absent leaves it: it is never shown again. */
  iban: z.string().max(60).optional(),
  bic: Bic,
  version: Version,
})

export const SellerVat = z.object({
  id: Id,
  startsOn: Day,
  mode: VatMode,
  rate: BasisPoints,
  by: z.string(),
  at: Instant,
  state: z.enum(['past', 'held', 'future']),
  /** The last one, under which nothing was invoiced: it may be taken back. */
  removable: z.boolean(),
})
export type SellerVat = z.infer<typeof SellerVat>
export const NewSellerVat = z
  .strictObject({ startsOn: Day, mode: VatMode, rate: BasisPoints })
  .superRefine(({ mode, rate }, context) => {
    const message =
      mode === 'standard'
        ? rate === 0 && 'Un vendeur assujetti facture un taux de TVA, par exemple 20 %.'
        : rate !== 0 && 'Ce régime ne facture pas de TVA : son taux est 0.'
    if (message) context.addIssue({ code: 'custom', path: ['rate'], message })
  })

const mandateDates = { startsOn: Day, endsOn: Day.nullable(), signedOn: Day }
/** Whether the organiser also collects in its name; absent leaves it as it is. */
const collects = z.boolean().optional()
const checkDateOrder = (
  { startsOn, endsOn }: { startsOn: string; endsOn: string | null },
  context: z.RefinementCtx,
) => {
  if (endsOn !== null && endsOn <= startsOn)
    context.addIssue({ code: 'custom', path: ['endsOn'], message: 'La fin doit venir après le début.' })
}
export const BillingMandateDraft = z.strictObject({ ...mandateDates, collects }).superRefine(checkDateOrder)
export const BillingMandateUpdate = z
  .strictObject({ ...mandateDates, collects, version: Version })
  .superRefine(checkDateOrder)
export const BillingMandate = z.object({
  id: Id,
  sellerId: Id,
  ...mandateDates,
  /** It covers collecting too: the organiser debits for this producer, and pays on to it. */
  collects: z.boolean(),
  file: z.object({ name: z.string(), size: z.int() }).nullable(),
  state: z.enum(['past', 'held', 'future']),
  version: z.int(),
})
export type BillingMandate = z.infer<typeof BillingMandate>

/** What stands in the way of an invoice, or of its electronic form, and the screen that settles it. */
export const PartyIssue = z.object({
  code: z.string(),
  level: z.enum(['error', 'warning']),
  sellerId: Id.optional(),
  buyerId: Id.optional(),
  sentence: z.string(),
  href: z.string(),
  /** Nothing that the law asks for: it is told, and asks nobody for a reason. */
  advice: z.boolean().optional(),
})
export type PartyIssue = z.infer<typeof PartyIssue>

export const Seller = z.object({
  id: Id,
  participantId: Id.nullable(),
  name: z.string(),
  legalForm: z.string(),
  siren: z.string(),
  siret: z.string(),
  vatNumber: z.string(),
  address: z.string(),
  postalCode: z.string(),
  city: z.string(),
  country: z.string(),
  email: z.string(),
  phone: z.string(),
  ibanEnd: z.string(),
  bic: z.string(),
  prefix: z.string(),
  payfip: z.string(),
  managementFees: z.array(FeePart),
  managementFeeRate: z.int(),
  vat: z.array(SellerVat),
  mandates: z.array(BillingMandate),
  /** Documents it has issued: from the first on its prefix stays. */
  documents: z.int(),
  issues: z.array(PartyIssue),
  version: z.int(),
})
export type Seller = z.infer<typeof Seller>

/** Somebody who could sell and does not yet, with what its sheet says already. */
export const SellerCandidate = z.object({
  participantId: Id.nullable(),
  name: z.string(),
  siren: z.string(),
  address: z.string(),
  postalCode: z.string(),
  city: z.string(),
  email: z.string(),
  phone: z.string(),
  prefix: z.string(),
  operations: z.array(z.string()),
})
export type SellerCandidate = z.infer<typeof SellerCandidate>
