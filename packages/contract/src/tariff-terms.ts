import { z } from 'zod'
import { BasisPoints, Cents, FeePeriod } from './money.ts'
import { Day, Id, Text, Version } from './primitives.ts'

const END_BEFORE_START = {
  message: 'La fin doit venir après le début\u00a0: c’est le premier jour qui n’est plus compris.',
  path: ['endsOn'],
}
const isDateOrderValid = ({ startsOn, endsOn }: { startsOn: string; endsOn: string | null }) =>
  endsOn === null || endsOn > startsOn

const feeFields = {
  sellerId: Id,
  label: Text,
  /** Cents before tax for a whole period; per kVA where `perKva`. */
  amount: Cents.min(0, 'Un montant ne peut pas être négatif\u00a0: 0 ou plus est attendu.').max(
    10_000_000,
    'Ce montant n’est pas plausible\u00a0: 100\u00a0000\u00a0€ au plus sont attendus.',
  ),
  every: FeePeriod,
  startsOn: Day,
  endsOn: Day.nullable().default(null),
  /** Where it differs from that of its seller. */
  rate: BasisPoints.min(
    1,
    'Un taux de 0 % n’existe pas\u00a0: dites plutôt que ces frais sont hors du champ de la TVA.',
  )
    .nullable()
    .default(null),
  perKva: z.boolean().default(false),
  outside: z.boolean().default(false),
  groupId: Id.nullable().default(null),
}
const VAT_CONFLICT = { message: 'Hors du champ de la TVA, il n’y a pas de taux.', path: ['rate'] }
const hasConsistentVat = ({ rate, outside }: { rate: number | null; outside: boolean }) => !outside || rate === null

export const TariffFeeDraft = z
  .strictObject(feeFields)
  .refine(isDateOrderValid, END_BEFORE_START)
  .refine(hasConsistentVat, VAT_CONFLICT)
export const TariffFeeUpdate = z
  .strictObject({ ...feeFields, version: Version })
  .refine(isDateOrderValid, END_BEFORE_START)
  .refine(hasConsistentVat, VAT_CONFLICT)
export const TariffFee = z.object({
  id: Id,
  operationId: Id,
  sellerId: Id,
  seller: z.string(),
  label: z.string(),
  amount: Cents,
  every: FeePeriod,
  startsOn: Day,
  endsOn: Day.nullable(),
  rate: z.int().nullable(),
  perKva: z.boolean(),
  outside: z.boolean(),
  groupId: Id.nullable(),
  group: z.string(),
  /** Counted in a closed month: only its end may still be set. */
  used: z.boolean(),
  version: z.int(),
})
export type TariffFee = z.infer<typeof TariffFee>

const FirstDay = Day.refine((day) => day.endsWith('-01'), 'Une remise commence et finit le premier jour d’un mois.')
const discountFields = {
  label: Text,
  percentBp: BasisPoints.min(1, 'Une remise de 0 % n’en est pas une.').nullable().default(null),
  amount: Cents.min(1, 'Une remise de 0 € n’en est pas une.')
    .max(10_000_000, 'Ce montant n’est pas plausible\u00a0: 100\u00a0000\u00a0€ au plus sont attendus.')
    .nullable()
    .default(null),
  participantId: Id.nullable().default(null),
  sellerId: Id.nullable().default(null),
  startsOn: FirstDay,
  endsOn: FirstDay.nullable().default(null),
}
const DISCOUNT_CONFLICT = { message: 'Une remise est un pourcentage ou un montant, l’un des deux.', path: ['amount'] }
const hasSingleDiscount = ({ percentBp, amount }: { percentBp: number | null; amount: number | null }) =>
  (percentBp === null) !== (amount === null)

export const TariffDiscountDraft = z
  .strictObject(discountFields)
  .refine(isDateOrderValid, END_BEFORE_START)
  .refine(hasSingleDiscount, DISCOUNT_CONFLICT)
export const TariffDiscountUpdate = z
  .strictObject({ ...discountFields, version: Version })
  .refine(isDateOrderValid, END_BEFORE_START)
  .refine(hasSingleDiscount, DISCOUNT_CONFLICT)
export const TariffDiscount = z.object({
  id: Id,
  operationId: Id,
  /** They apply in this order. */
  position: z.int(),
  label: z.string(),
  percentBp: z.int().nullable(),
  amount: Cents.nullable(),
  participantId: Id.nullable(),
  participant: z.string(),
  sellerId: Id.nullable(),
  seller: z.string(),
  startsOn: Day,
  endsOn: Day.nullable(),
  used: z.boolean(),
  version: z.int(),
})
export type TariffDiscount = z.infer<typeof TariffDiscount>
