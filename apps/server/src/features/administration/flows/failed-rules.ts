import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { flowDeliveries, flowRules } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { sendDelivery } from './apply.ts'

/** Failed rule deliveries, locked until the end of the transaction, with the actions that settle them. */
export async function lockFailedRuleDeliveries(tx: Db, { companyId }: Actor, ids: string[]) {
  const own = eq(flowDeliveries.companyId, companyId)
  const rows = ids.length
    ? await tx
        .select({ row: flowDeliveries, rule: flowRules })
        .from(flowDeliveries)
        .innerJoin(
          flowRules,
          and(eq(flowRules.companyId, flowDeliveries.companyId), eq(flowRules.id, flowDeliveries.ruleId)),
        )
        .where(and(own, inArray(flowDeliveries.id, ids), eq(flowDeliveries.status, 'failed')))
        .orderBy(asc(flowDeliveries.id))
        .for('update', { of: flowDeliveries })
    : []
  return {
    /**
     * Sends to the current destination of the rule; when one still fails, its error is thrown and nothing is changed.
     */
    async replay(deps: Pick<Deps, 'secrets' | 'config'>): Promise<number> {
      for (const { row, rule } of rows) {
        const error = await sendDelivery(tx, deps, rule, row)
        if (error) throw new AppError('conflict', { message: `Règle «\u00a0${rule.name}\u00a0»\u00a0: ${error}` })
      }
      return rows.length
    },
    async discard(): Promise<number> {
      const found = rows.map(({ row }) => row.id)
      if (found.length)
        await tx
          .update(flowDeliveries)
          .set({ status: 'discarded' })
          .where(and(own, inArray(flowDeliveries.id, found)))
      return found.length
    },
  }
}
