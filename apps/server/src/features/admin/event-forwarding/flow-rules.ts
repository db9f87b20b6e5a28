import type {
  Condition,
  DestinationKind,
  FlowRule,
  PickedField,
  RuleChange,
  RuleDefinition,
  RuleDraft,
  RuleTestEvent,
} from '@voisol/contract/flow-rules'
import type { ListQuery } from '@voisol/contract/primitives'
import { and, count, desc, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { events, flowRules } from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { listDestinations } from './destinations.ts'
import {
  describeCondition,
  findConditionFault,
  findUnmetCondition,
  getEventFields,
  pickFields,
} from './rule-conditions.ts'

export type FlowRuleRow = typeof flowRules.$inferSelect
const MAX_RULES = 50

/** The stored rule, typed: only the functions below write it. */
export const toRuleShape = ({ event, conditions, fields }: FlowRuleRow) =>
  ({ event, conditions, fields }) as { event: FlowRule['event']; conditions: Condition[]; fields: PickedField[] }

function requireValidRuleShape({ event, conditions, fields }: z.output<typeof RuleDefinition>): void {
  const known = getEventFields(event)
  for (const [at, condition] of conditions.entries()) {
    const fault = findConditionFault(condition, known)
    if (fault) throw fieldError(`conditions.${at}.field`, fault)
  }
  for (const [at, { from, to }] of fields.entries()) {
    if (!known.some(({ path }) => path === from))
      throw fieldError(`fields.${at}.from`, `Le champ «\u00a0${from}\u00a0» n’est pas dans cet événement.`)
    if (fields.findIndex((one) => one.to === to) !== at)
      throw fieldError(`fields.${at}.to`, `Deux champs ne peuvent pas s’appeler «\u00a0${to}\u00a0».`)
  }
}

type RuleSums = { ruleId: string; sent: number; failed: number }
async function loadRuleSums(db: Db, companyId: number): Promise<Map<string, RuleSums>> {
  const { rows } = await db.execute<RuleSums>(sql`
    select rule_id as "ruleId", count(*) filter (where status = 'sent')::int as sent,
           count(*) filter (where status = 'failed')::int as failed
      from flow_deliveries where company_id = ${companyId} and created_at > now() - interval '30 days' group by 1`)
  return new Map(rows.map((row) => [row.ruleId, row]))
}

type RuleContext = { sums: Map<string, RuleSums>; labels: Map<string, string> }
const loadRuleContext = async (db: Db, companyId: number): Promise<RuleContext> => ({
  sums: await loadRuleSums(db, companyId),
  labels: new Map((await listDestinations(db, companyId)).map(({ kind, id, label }) => [`${kind} ${id}`, label])),
})

function toFlowRule(row: FlowRuleRow, { sums, labels }: RuleContext): FlowRule {
  const { id, name, active, createdBy, version, destinationId } = row
  const kind = row.destination as DestinationKind // written below
  const { sent = 0, failed = 0 } = sums.get(id) ?? {}
  return {
    id,
    name,
    ...toRuleShape(row),
    destination: { kind, id: destinationId },
    destinationLabel: labels.get(`${kind} ${destinationId}`) ?? '',
    active,
    createdAt: row.createdAt.toISOString(),
    createdBy,
    version,
    sent,
    failed,
  }
}

export async function listFlowRules(db: Db, actor: Actor, query: ListQuery) {
  const where = and(ruleScope(actor), matchesSearchWords(query.q, [flowRules.name, flowRules.event]))
  const order = buildOrderBy(query.sort, { name: flowRules.name, createdAt: flowRules.createdAt }, 'name')
  const { limit, offset } = toLimitOffset(query)
  const rows = await db.select().from(flowRules).where(where).orderBy(order, flowRules.id).limit(limit).offset(offset)
  const [sum] = await db.select({ total: count() }).from(flowRules).where(where)
  const around = await loadRuleContext(db, actor.companyId)
  return { items: rows.map((row) => toFlowRule(row, around)), total: sum?.total ?? 0 }
}

/** A destination of another company is answered as not found. */
async function requireDestination(tx: Db, { companyId }: Actor, { kind, id }: FlowRule['destination']) {
  const found = (await listDestinations(tx, companyId)).some((one) => one.kind === kind && one.id === id)
  if (!found) throw fieldError('destination', 'Cette destination n’existe pas dans votre organisation.')
}

async function buildRuleColumns(tx: Db, actor: Actor, draft: z.output<typeof RuleDraft>) {
  requireValidRuleShape(draft)
  await requireDestination(tx, actor, draft.destination)
  const { name, event, conditions, fields, active, destination } = draft
  return { name, event, conditions, fields, active, destination: destination.kind, destinationId: destination.id }
}

export async function addFlowRule(tx: Db, actor: Actor, draft: z.output<typeof RuleDraft>): Promise<FlowRule> {
  const { companyId } = actor
  const columns = await buildRuleColumns(tx, actor, draft)
  const [sum] = await tx.select({ total: count() }).from(flowRules).where(ruleScope(actor))
  if ((sum?.total ?? 0) >= MAX_RULES)
    throw new AppError('conflict', { message: `Une organisation peut avoir ${MAX_RULES} règles au plus.` })
  const [row] = await tx
    .insert(flowRules)
    .values({ companyId, ...columns, createdBy: formatActorName(actor) })
    .returning()
  if (!row) throw new AppError('internal')
  return toFlowRule(row, await loadRuleContext(tx, companyId))
}

const whereRule = (actor: Actor, id: string) => and(ruleScope(actor), eq(flowRules.id, id))

async function lockRule(tx: Db, actor: Actor, id: string): Promise<FlowRule> {
  const [row] = await tx.select().from(flowRules).where(whereRule(actor, id)).for('update')
  if (!row) throw new AppError('not-found')
  return toFlowRule(row, await loadRuleContext(tx, actor.companyId))
}

export async function changeFlowRule(tx: Db, actor: Actor, id: string, change: z.output<typeof RuleChange>) {
  const before = await lockRule(tx, actor, id)
  requireCurrentVersion(before, change)
  const columns = await buildRuleColumns(tx, actor, change)
  const [row] = await tx
    .update(flowRules)
    .set({ ...columns, version: before.version + 1 })
    .where(whereRule(actor, id))
    .returning()
  if (!row) throw new AppError('not-found')
  return { before, after: toFlowRule(row, await loadRuleContext(tx, actor.companyId)) }
}

export async function removeFlowRule(tx: Db, actor: Actor, id: string): Promise<FlowRule> {
  const before = await lockRule(tx, actor, id)
  await tx.delete(flowRules).where(whereRule(actor, id))
  return before
}

const ruleScope = (actor: Actor) => eq(flowRules.companyId, actor.companyId)

/** What the rule would have sent for the last events of this type. Nothing is sent or stored. */
export async function testRule(
  db: Db,
  { companyId }: Actor,
  { last, ...shape }: z.output<typeof RuleDefinition> & { last: number },
) {
  requireValidRuleShape(shape)
  const rows = await db
    .select()
    .from(events)
    .where(and(eq(events.companyId, companyId), eq(events.name, shape.event)))
    .orderBy(desc(events.seq))
    .limit(last)
  const items = rows.map(({ seq, at, data: told }): RuleTestEvent => {
    const data = told as Record<string, unknown> // written by record()
    const fault = findUnmetCondition(shape.conditions, data)
    const why = fault ? `Il aurait fallu\u00a0: ${describeCondition(fault)}.` : ''
    const payload = fault ? null : pickFields(shape.fields, data)
    return { seq, occurredAt: at.toISOString(), matches: !fault, why, data, payload }
  })
  return { looked: items.length, matched: items.filter(({ matches }) => matches).length, items }
}
