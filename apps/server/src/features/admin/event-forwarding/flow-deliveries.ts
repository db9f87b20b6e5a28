import type { EventName } from '@voisol/contract/events'
import type { DestinationKind } from '@voisol/contract/flow-rules'
import { and, asc, eq } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, transaction } from '../../../db/client.ts'
import { flowDeliveries, flowRules } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { SubscribedEvent } from '../../../events/subscriber.ts'
import { ConnectionFault } from '../../../integrations/connections/connector.ts'
import type { JobRun } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { deliverFile, getConnectionRunOptions } from '../connections/index.ts'
import { DESTINATION_HANDLERS } from './destinations.ts'
import { type FlowRuleRow, toRuleShape } from './flow-rules.ts'

import { findUnmetCondition, pickFields } from './rule-conditions.ts'

export const ShipJobInput = z.object({ companyId: z.int(), deliveryId: z.uuid() })

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

type Row = typeof flowDeliveries.$inferSelect

const SEQ_DIGITS = 10
/** File names sort in the order of the events. */
const buildDeliveryFile = (
  { seq, event, occurredAt, payload }: Omit<Row, 'companyId'>,
  rule: Pick<FlowRuleRow, 'id' | 'name'>,
) => ({
  name: `${String(seq).padStart(SEQ_DIGITS, '0')}-${event}-${rule.id.slice(0, 8)}.json`,
  type: 'application/json',
  content: `${JSON.stringify({ event, sequence: seq, occurredAt: occurredAt.toISOString(), rule: rule.name, data: payload }, null, 2)}\n`,
})

/**
 * Only one run of a connection at a time; a run already started may have missed this event, so that the job is retried.
 */
const RETRY_SECONDS = 60
const startConnectionRun = (deps: Deps, { companyId, id: deliveryId }: Row, { destinationId: id, name }: FlowRuleRow) =>
  transaction(deps.db, async (tx) => {
    const asked = { companyId, id, askedBy: `Règle «\u00a0${name}\u00a0»` }
    if (!(await enqueue(tx, 'connections.run', asked, getConnectionRunOptions(companyId, id))))
      await enqueue(tx, 'flows.ship', { companyId, deliveryId }, { after: RETRY_SECONDS })
  })

/** Sends one event as a file, or starts a run; what fails for good is listed with its reason. */
export async function shipDelivery(
  deps: Deps,
  { companyId, deliveryId }: z.output<typeof ShipJobInput>,
  { last }: JobRun,
) {
  const one = and(eq(flowDeliveries.companyId, companyId), eq(flowDeliveries.id, deliveryId))
  const [found] = await deps.db
    .select()
    .from(flowDeliveries)
    .innerJoin(
      flowRules,
      and(eq(flowRules.companyId, flowDeliveries.companyId), eq(flowRules.id, flowDeliveries.ruleId)),
    )
    .where(and(one, eq(flowDeliveries.status, 'sent')))
  if (!found) return
  const { flow_rules: rule, flow_deliveries: row } = found
  if (rule.destination === 'job') return startConnectionRun(deps, row, rule)
  // The rule changed since: its new destination applies only to later events.
  if (rule.destination !== 'connection') return
  try {
    await deliverFile(deps, { companyId, id: rule.destinationId }, buildDeliveryFile(row, rule))
  } catch (error) {
    const fault = error instanceof ConnectionFault ? error : undefined
    if (!fault || !(fault.hopeless || last)) throw error
    await deps.db.update(flowDeliveries).set({ status: 'failed', error: fault.message, sentAt: null }).where(one)
  }
}
