import { findPricingRule, findVersionOn } from '@voisol/money/rules'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import { loadOperationTerms } from '../../money/parties/parties.ts'
import { loadOperationPrices } from '../../money/tariffs/tariffs.ts'

/** 1/10 000 € per kWh; null where nobody said. */
export type EnergyPrices = { local: number | null; surplus: number | null; supplier: number | null }

/**
 * What a kWh is worth on a day: by the tariff in force, the surplus and the supplier as the operation says. Where the tariff has
 * no price for everybody, or one that follows an index, it is the price the operation declares for its screens.
 */
export async function loadEnergyPrices(
  db: Db,
  companyId: number,
  operationId: string,
  day: string,
): Promise<EnergyPrices> {
  const { surplusPrice, supplierPrice } = await loadOperationTerms(db, companyId, operationId)
  const rules = findVersionOn((await loadOperationPrices(db, companyId, operationId)).tariffs, day)?.rules ?? []
  const rule = findPricingRule(rules, { buyer: '', group: undefined, producer: '', class: '' })
  const general = rule && rule.index === undefined ? rule.price : null
  const [operation] = await db
    .select({ unitPrice: operations.unitPrice })
    .from(operations)
    .where(and(eq(operations.companyId, companyId), eq(operations.id, operationId)))
  return { local: general ?? operation?.unitPrice ?? null, surplus: surplusPrice, supplier: supplierPrice }
}
