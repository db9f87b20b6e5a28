import { FeePeriod } from '@voisol/contract/money'
import { Day, Id, Text } from '@voisol/contract/primitives'
import type { TariffDiscount, TariffFee } from '@voisol/contract/tariff-terms'
import { z } from 'zod'
import { DAY_ERROR } from '../../../lib/day-input.ts'
import { dayInputSchema, formatNumberInput, numberInputSchema } from '../../../lib/field-schemas.ts'
import { formatMoney, formatPercent } from '../../../lib/format.ts'

const optionalId = z.union([z.literal('').transform(() => null), Id])
const startDaySchema = z.string().pipe(z.iso.date(DAY_ERROR)).pipe(Day)
const EURO_BOUNDS = { min: 0, max: 100_000, scale: 100 }
const PERCENT_BOUNDS = { min: 0.01, max: 100, scale: 100 }
const optionalPercent = z.union([z.literal('').transform(() => null), numberInputSchema(PERCENT_BOUNDS)])

export const FeeForm = z.object({
  sellerId: z.string().min(1, 'Choisissez qui facture ces frais.'),
  label: Text,
  amount: numberInputSchema(EURO_BOUNDS),
  every: FeePeriod,
  startsOn: startDaySchema,
  endsOn: dayInputSchema,
  vat: z.enum(['seller', 'own', 'outside']),
  rate: optionalPercent,
  perKva: z.boolean(),
  groupId: optionalId,
})
export type FeeForm = z.input<typeof FeeForm>

export const toFeeForm = (fee: TariffFee | undefined, sellerId: string, startsOn: string): FeeForm => ({
  sellerId: fee?.sellerId ?? sellerId,
  label: fee?.label ?? '',
  amount: fee ? formatNumberInput(fee.amount, 100) : '',
  every: fee?.every ?? 'month',
  startsOn: fee?.startsOn ?? startsOn,
  endsOn: fee?.endsOn ?? '',
  vat: fee?.outside ? 'outside' : fee?.rate ? 'own' : 'seller',
  rate: fee?.rate ? formatNumberInput(fee.rate, 100) : '',
  perKva: fee?.perKva ?? false,
  groupId: fee?.groupId ?? '',
})

/** What is sent of a form of fees. */
export const toFeeBody = ({ vat, rate, ...fee }: z.output<typeof FeeForm>) => ({
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
    startsOn: startDaySchema,
    endsOn: dayInputSchema,
  })
  .transform((form, context) => {
    const bounds = form.kind === 'percent' ? PERCENT_BOUNDS : { ...EURO_BOUNDS, min: 0.01 }
    const parsed = numberInputSchema(bounds).safeParse(form.figure)
    if (!parsed.success) {
      context.addIssue({ code: 'custom', path: ['figure'], message: parsed.error.issues[0]?.message ?? '' })
      return z.NEVER
    }
    const { kind, figure: _, ...rest } = form
    return {
      ...rest,
      percentBp: kind === 'percent' ? parsed.data : null,
      amount: kind === 'amount' ? parsed.data : null,
    }
  })
export type DiscountForm = z.input<typeof DiscountForm>

export const toDiscountForm = (discount: TariffDiscount | undefined, startsOn: string): DiscountForm => ({
  label: discount?.label ?? '',
  kind: discount?.amount ? 'amount' : 'percent',
  figure: discount ? formatNumberInput(discount.percentBp ?? discount.amount ?? 0, 100) : '',
  participantId: discount?.participantId ?? '',
  sellerId: discount?.sellerId ?? '',
  startsOn: discount?.startsOn ?? startsOn,
  endsOn: discount?.endsOn ?? '',
})

const FEE_PERIOD_LABELS = { month: 'par mois', quarter: 'par trimestre', year: 'par an' } as const

/** « 4,37 € par mois et par kVA ». */
export const formatFee = ({ amount, every, perKva }: Pick<TariffFee, 'amount' | 'every' | 'perKva'>) =>
  `${formatMoney(amount)} ${FEE_PERIOD_LABELS[every]}${perKva ? ' et par kVA' : ''}`
export const formatDiscount = ({ percentBp, amount }: Pick<TariffDiscount, 'percentBp' | 'amount'>) =>
  percentBp === null ? formatMoney(amount ?? 0) : formatPercent(percentBp / 10_000, 2)
