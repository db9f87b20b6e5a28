import { findPricingRule, findVersionOn } from '@voisol/money/pricing-rules'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import { loadOperationTerms } from '../../billing/parties/index.ts'
import { loadOperationPrices } from '../../billing/tariffs/index.ts'

/** 1/10 000 € per kWh; null when not set. */
export type EnergyPrices = { local: number | null; surplus: number | null; supplier: number | null }

/**
 * Prices per kWh on a day: local by the tariff in force, surplus and supplier as set on the operation. When the tariff
 * has no single fixed price for everybody, the operation's own price is used.
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
