import { z } from 'zod'
import { BasisPoints, Cents, FeePeriod, UnitPrice } from './money.ts'
import { Day, Id, Instant, OptionalText, Text, TimeClass, Version } from './primitives.ts'

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

const Price = UnitPrice.optional()

/** A price for whom it names: what it does not name it does not ask for. The rule that says most of a sale holds. */
export const TariffRule = z.strictObject({
  id: z.string().min(1).max(40),
  label: z.string().trim().max(200).default(''),
  price: UnitPrice,
  /** A participant. */
  buyer: Id.optional(),
  /** A group of buyers. */
  group: Id.optional(),
  /** A point of production. */
  producer: Id.optional(),
  class: TimeClass.optional(),
  /** Follows an index: from P0 = `price`, never from a rounded price. */
  index: z
    .strictObject({
      indexId: Id,
      base: z.string().regex(/^\d{1,9}(\.\d{1,9})?$/, 'Valeur de l’indice attendue, par exemple 121.37.'),
      fixedBp: BasisPoints.default(0),
      floor: Price,
      cap: Price,
    })
    .optional(),
})
export type TariffRule = z.infer<typeof TariffRule>

/** Those who pay alike: a buyer whom a rule names, a group, or all the others. */
const PriceRow = z.object({
  kind: z.enum(['buyer', 'group', 'others']),
  id: Id.nullable(),
  name: z.string(),
  /** How many buyers of the operation it holds that day. */
  buyers: z.int(),
})
const PriceColumn = z.object({ producerId: Id, producer: z.string(), class: TimeClass })
export const PriceCell = z.object({
  /** 1/10 000 € per kWh; null where nothing gives one. */
  price: z.int().nullable(),
  /** The rule that gives it. */
  rule: z.string().nullable(),
  label: z.string(),
  /** Of an indexed price, from P0 to what is billed; empty where there is nothing to compute. */
  computation: z.string(),
  /** Why there is no price; empty where there is one. */
  missing: z.string(),
})
export type PriceCell = z.infer<typeof PriceCell>
/** Who pays what, when. */
export const PriceMatrix = z.object({
  day: Day,
  tariffId: Id.nullable(),
  number: z.int().nullable(),
  rows: z.array(PriceRow),
  columns: z.array(PriceColumn),
  /** By row, then by column. */
  cells: z.array(z.array(PriceCell)),
})
export type PriceMatrix = z.infer<typeof PriceMatrix>

/** A figure as it was published: a decimal text, never a float. */
export const IndexFigure = z
  .string()
  .trim()
  .transform((text) => text.replace(',', '.'))
  .refine(
    (text) => /^\d{1,9}(\.\d{1,9})?$/.test(text) && /[1-9]/.test(text),
    'Une valeur d’indice plus grande que zéro est attendue, par exemple 121,37.',
  )

/** What was said of the index from a day on; null: announced for that day, not yet published. */
const PriceIndexValue = z.object({
  startsOn: Day,
  value: z.string().nullable(),
  source: z.string(),
  createdBy: z.string(),
  createdAt: Instant,
  /** The last word on its day: the others are kept to be read. */
  holds: z.boolean(),
})
export const PriceIndex = z.object({
  id: Id,
  name: z.string(),
  source: z.string(),
  /** The latest day first; of one day, the last word first. */
  words: z.array(PriceIndexValue),
  /** Versions of tariffs that follow it. */
  tariffs: z.int(),
  version: z.int(),
})
export type PriceIndex = z.infer<typeof PriceIndex>

export const PriceIndexDraft = z.strictObject({ name: Text, source: OptionalText.default('') })
export const PriceIndexUpdate = z.strictObject({ name: Text, source: OptionalText, version: Version })
export const PriceIndexValueDraft = z.strictObject({
  startsOn: Day,
  value: IndexFigure.nullable(),
  source: OptionalText.default(''),
})
