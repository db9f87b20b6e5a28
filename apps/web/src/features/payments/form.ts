import { Day } from '@voisol/contract/primitives'
import { z } from 'zod'
import { DAY_ERROR } from '../../lib/day-text.ts'
import { typedNumber } from '../../lib/typed-fields.ts'

const EUROS = { min: 0.01, max: 1_000_000, scale: 100 }
export const typedCents = typedNumber(EUROS)
export const typedDayOf = z.string().pipe(z.iso.date(DAY_ERROR)).pipe(Day)

/** A seller and a buyer are chosen together: « seller buyer ». */
export const RecordForm = z.object({
  pair: z.string().min(1, 'Choisissez qui a payé, et pour quel vendeur.'),
  amount: typedCents,
  method: z.enum(['transfer', 'cheque', 'cash']),
  bookedOn: typedDayOf,
  accountId: z.string(),
  note: z.string().trim().max(500),
  references: z.string(),
})
export type RecordForm = z.input<typeof RecordForm>

export const referencesOf = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)

export function bodyOf({ pair, accountId, references, ...rest }: z.output<typeof RecordForm>) {
  const [sellerId = '', buyerId = ''] = pair.split(' ')
  return { ...rest, sellerId, buyerId, accountId: accountId || null, references: referencesOf(references) }
}
