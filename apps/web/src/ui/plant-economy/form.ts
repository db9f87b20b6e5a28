import { AmountFrequency, AmountKind, type PlantAmount } from '@voisol/contract/plants'
import { Day } from '@voisol/contract/primitives'
import { z } from 'zod'
import { DAY_ERROR } from '../../lib/day-text.ts'
import { numberInputSchema } from '../../lib/typed-fields.ts'

const requiredDay = z.string().pipe(z.iso.date(DAY_ERROR)).pipe(Day)

/** An amount as it is typed: euros, and an end that may stay empty. */
export const AmountForm = z.object({
  pointId: z.string().min(1, 'Choisissez la centrale.'),
  kind: AmountKind,
  label: z.string().trim().max(200),
  amount: numberInputSchema({ min: 0.01, max: 100_000_000, scale: 100 }),
  every: AmountFrequency,
  startsOn: requiredDay,
  endsOn: z.union([z.literal(''), requiredDay]),
})

export const buildAmountDefaults = (
  amount: PlantAmount | null,
  pointId: string,
  today: string,
): z.input<typeof AmountForm> => ({
  pointId: amount?.pointId ?? pointId,
  kind: amount?.kind ?? 'maintenance',
  label: amount?.label ?? '',
  amount: amount ? String(amount.amount / 100).replace('.', ',') : '',
  every: amount?.every ?? 'year',
  startsOn: amount?.startsOn ?? today,
  endsOn: amount?.endsOn ?? '',
})

export const toAmountBody = ({ pointId: _, endsOn, ...rest }: z.output<typeof AmountForm>) => ({
  ...rest,
  endsOn: endsOn || null,
})
