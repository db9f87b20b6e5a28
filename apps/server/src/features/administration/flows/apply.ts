import type { EventName } from '@voisol/contract/events'
import type { DestinationKind } from '@voisol/contract/flow-rules'
import { and, asc, eq } from 'drizzle-orm'
import type { SubscribedEvent } from '../../../core/subscriber.ts'
import type { Db } from '../../../db/client.ts'
import { flowDeliveries, flowRules } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { DESTINATION_HANDLERS } from './destinations.ts'
import { findUnmetCondition, pickFields } from './match.ts'
import { type FlowRuleRow, toRuleShape } from './rules.ts'

type FlowDeliveryRow = typeof flowDeliveries.$inferSelect

/** Sends a delivery to its destination and records the result. */
export async function sendDelivery(
  tx: Db,
  deps: Pick<Deps, 'secrets' | 'config'>,
  rule: FlowRuleRow,
  row: FlowDeliveryRow,
) {
  const { companyId, seq, occurredAt } = row
  const send = DESTINATION_HANDLERS[rule.destination as DestinationKind].send // written by the feature alone
  const error = await send(tx, deps, rule.destinationId, {
    companyId,
    deliveryId: row.id,
    rule,
    event: row.event as EventName, // likewise
    seq,
    occurredAt,
    payload: row.payload as object, // likewise
  })
  await tx
    .update(flowDeliveries)
    .set({ error, status: error ? 'failed' : 'sent', sentAt: error ? null : new Date() })
    .where(and(eq(flowDeliveries.companyId, companyId), eq(flowDeliveries.id, row.id)))
  return error
}

export const listActiveRules = (tx: Db, companyId: number): Promise<FlowRuleRow[]> =>
  tx
    .select()
    .from(flowRules)
    .where(and(eq(flowRules.companyId, companyId), eq(flowRules.active, true)))
    .orderBy(asc(flowRules.id))

/** Applies every matching rule of the company once: a unique delivery row per rule and event prevents a second one. */
export async function applyRules(
  tx: Db,
  deps: Deps,
  { companyId, name: event, seq, at, data }: SubscribedEvent,
  rules: readonly FlowRuleRow[],
): Promise<void> {
  for (const rule of rules.filter((one) => one.event === event)) {
    const { conditions, fields } = toRuleShape(rule)
    if (findUnmetCondition(conditions, data)) continue
    const values = { companyId, ruleId: rule.id, seq, event, occurredAt: at, status: 'waiting' }
    const [row] = await tx
      .insert(flowDeliveries)
      .values({ ...values, payload: pickFields(fields, data) })
      .onConflictDoNothing()
      .returning()
    if (row) await sendDelivery(tx, deps, rule, row)
  }
}
