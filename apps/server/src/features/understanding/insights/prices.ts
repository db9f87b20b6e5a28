import { inForce, ruleFor } from '@voisol/money/rules'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import { termsOf } from '../../money/parties/parties.ts'
import { pricesOf } from '../../money/tariffs/tariffs.ts'

/** 1/10 000 € per kWh; null where nobody said. */
export type Known = { local: number | null; surplus: number | null; supplier: number | null }

/**
 * What a kWh is worth on a day: by the tariff in force, the surplus and the supplier as the operation says. Where the tariff has
 * no price for everybody, or one that follows an index, it is the price the operation declares for its screens.
 */
export async function pricesOn(db: Db, companyId: number, operationId: string, day: string): Promise<Known> {
  const { surplusPrice, supplierPrice } = await termsOf(db, companyId, operationId)
  const rules = inForce((await pricesOf(db, companyId, operationId)).tariffs, day)?.rules ?? []
  const rule = ruleFor(rules, { buyer: '', group: undefined, producer: '', class: '' })
  const general = rule && rule.index === undefined ? rule.price : null
  const [operation] = await db
    .select({ unitPrice: operations.unitPrice })
    .from(operations)
    .where(and(eq(operations.companyId, companyId), eq(operations.id, operationId)))
  return { local: general ?? operation?.unitPrice ?? null, surplus: surplusPrice, supplier: supplierPrice }
}
