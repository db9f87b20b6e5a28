import { Every } from '@voisol/contract/money'
import { Day, Id, Text } from '@voisol/contract/primitives'
import type { TariffDiscount, TariffFee } from '@voisol/contract/tariff-terms'
import { z } from 'zod'
import { DAY_ERROR } from '../../lib/day-text.ts'
import { money, percent } from '../../lib/format.ts'
import { numberText, typedDay, typedNumber } from '../../lib/typed-fields.ts'

const optionalId = z.union([z.literal('').transform(() => null), Id])
const typedStart = z.string().pipe(z.iso.date(DAY_ERROR)).pipe(Day)
const EUROS = { min: 0, max: 100_000, scale: 100 }
const PERCENT = { min: 0.01, max: 100, scale: 100 }
const optionalPercent = z.union([z.literal('').transform(() => null), typedNumber(PERCENT)])

export const FeeForm = z.object({
  sellerId: z.string().min(1, 'Choisissez qui facture ces frais.'),
  label: Text,
  amount: typedNumber(EUROS),
  every: Every,
  startsOn: typedStart,
  endsOn: typedDay,
  vat: z.enum(['seller', 'own', 'outside']),
  rate: optionalPercent,
  perKva: z.boolean(),
  groupId: optionalId,
})
export type FeeForm = z.input<typeof FeeForm>

export const feeStart = (fee: TariffFee | undefined, sellerId: string, startsOn: string): FeeForm => ({
  sellerId: fee?.sellerId ?? sellerId,
  label: fee?.label ?? '',
  amount: fee ? numberText(fee.amount, 100) : '',
  every: fee?.every ?? 'month',
  startsOn: fee?.startsOn ?? startsOn,
  endsOn: fee?.endsOn ?? '',
  vat: fee?.outside ? 'outside' : fee?.rate ? 'own' : 'seller',
  rate: fee?.rate ? numberText(fee.rate, 100) : '',
  perKva: fee?.perKva ?? false,
  groupId: fee?.groupId ?? '',
})

/** What is sent of a form of fees. */
export const feeBody = ({ vat, rate, ...fee }: z.output<typeof FeeForm>) => ({
  ...fee,
  rate: vat === 'own' ? rate : null,
  outside: vat === 'outside',
})

export const DiscountForm = z
  .object({
    label: Text,
    kind: z.enum(['percent', 'amount']),
    figure: z.string(),
    participantId: optionalId,
    sellerId: optionalId,
    startsOn: typedStart,
    endsOn: typedDay,
  })
  .transform((form, context) => {
    const bounds = form.kind === 'percent' ? PERCENT : { ...EUROS, min: 0.01 }
    const read = typedNumber(bounds).safeParse(form.figure)
    if (!read.success) {
      context.addIssue({ code: 'custom', path: ['figure'], message: read.error.issues[0]?.message ?? '' })
      return z.NEVER
    }
    const { kind, figure: _, ...rest } = form
    return { ...rest, percentBp: kind === 'percent' ? read.data : null, amount: kind === 'amount' ? read.data : null }
  })
export type DiscountForm = z.input<typeof DiscountForm>

export const discountStart = (discount: TariffDiscount | undefined, startsOn: string): DiscountForm => ({
  label: discount?.label ?? '',
  kind: discount?.amount ? 'amount' : 'percent',
  figure: discount ? numberText(discount.percentBp ?? discount.amount ?? 0, 100) : '',
  participantId: discount?.participantId ?? '',
  sellerId: discount?.sellerId ?? '',
  startsOn: discount?.startsOn ?? startsOn,
  endsOn: discount?.endsOn ?? '',
})

export const EVERY = { month: 'par mois', quarter: 'par trimestre', year: 'par an' } as const

/** « 4,37 € par mois et par kVA ». */
export const feeWords = ({ amount, every, perKva }: Pick<TariffFee, 'amount' | 'every' | 'perKva'>) =>
  `${money(amount)} ${EVERY[every]}${perKva ? ' et par kVA' : ''}`
export const discountWords = ({ percentBp, amount }: Pick<TariffDiscount, 'percentBp' | 'amount'>) =>
  percentBp === null ? money(amount ?? 0) : percent(percentBp / 10_000, 2)
