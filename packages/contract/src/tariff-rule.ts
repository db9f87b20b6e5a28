import { z } from 'zod'
import { BasisPoints, UnitPrice } from './money.ts'
import { Id, TimeClass } from './primitives.ts'

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
