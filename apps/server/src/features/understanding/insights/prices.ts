import { inForce, ruleFor } from '@voisol/money/rules'
import type { Db } from '../../../db/client.ts'
import { termsOf } from '../../money/parties/parties.ts'
import { pricesOf } from '../../money/tariffs/tariffs.ts'

/** 1/10 000 € per kWh; null where nobody said. */
export type Known = { local: number | null; surplus: number | null; supplier: number | null }
export type PriceTable = Known & { of: (buyer: string) => number | null }

/**
 * What a kWh is worth on a day: by the tariff in force, the surplus and the supplier as the operation says. A price that follows
 * an index, or that only some buyers or hours have, is nobody's in general.
 */
export async function pricesOn(db: Db, companyId: number, operationId: string, day: string): Promise<PriceTable> {
  const { surplusPrice, supplierPrice } = await termsOf(db, companyId, operationId)
  const rules = inForce((await pricesOf(db, companyId, operationId)).tariffs, day)?.rules ?? []
  const of = (buyer: string) => {
    const rule = ruleFor(rules, { buyer, group: undefined, producer: '', class: '' })
    return rule && rule.index === undefined ? rule.price : null
  }
  return { local: of(''), surplus: surplusPrice, supplier: supplierPrice, of }
}
