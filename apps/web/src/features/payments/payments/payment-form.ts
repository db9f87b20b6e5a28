import { Day } from '@voisol/contract/primitives'
import { z } from 'zod'
import { DAY_ERROR } from '../../../lib/day-input.ts'
import { numberInputSchema } from '../../../lib/field-schemas.ts'

const EURO_BOUNDS = { min: 0.01, max: 1_000_000, scale: 100 }
export const centsInputSchema = numberInputSchema(EURO_BOUNDS)
export const requiredDayInputSchema = z.string().pipe(z.iso.date(DAY_ERROR)).pipe(Day)

/** A seller and a buyer are chosen together: « seller buyer ». */
export const RecordPaymentForm = z.object({
  pair: z.string().min(1, 'Choisissez qui a payé, et pour quel vendeur.'),
  amount: centsInputSchema,
  method: z.enum(['transfer', 'cheque', 'cash']),
  bookedOn: requiredDayInputSchema,
  accountId: z.string(),
  note: z.string().trim().max(500),
  references: z.string(),
})
export type RecordPaymentForm = z.input<typeof RecordPaymentForm>

export const parseReferences = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)

export function toPaymentBody({ pair, accountId, references, ...rest }: z.output<typeof RecordPaymentForm>) {
  const [sellerId = '', buyerId = ''] = pair.split(' ')
  return { ...rest, sellerId, buyerId, accountId: accountId || null, references: parseReferences(references) }
}
