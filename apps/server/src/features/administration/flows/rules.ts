import type {
  Condition,
  DestinationKind,
  FlowRule,
  PickedField,
  RuleChange,
  RuleDraft,
  RuleShape,
} from '@voisol/contract/flow-rules'
import type { ListQuery } from '@voisol/contract/list'
import { and, count, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { matches, orderBy, pageOf } from '../../../db/list.ts'
import { flowRules } from '../../../db/schema/index.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { destinationsOf } from './destinations.ts'
import { fieldsOf } from './fields.ts'
import { faultOf } from './match.ts'
import { ruleScope } from './scope.ts'

export type RuleRow = typeof flowRules.$inferSelect
const MOST = 50

/** As it is stored: written by the functions below alone. */
export const shapeOf = ({ event, conditions, fields }: RuleRow) =>
  ({ event, conditions, fields }) as { event: FlowRule['event']; conditions: Condition[]; fields: PickedField[] }

export function requireShape({ event, conditions, fields }: z.output<typeof RuleShape>): void {
  const known = fieldsOf(event)
  for (const [at, condition] of conditions.entries()) {
    const fault = faultOf(condition, known)
    if (fault) throw fieldError(`conditions.${at}.field`, fault)
  }
  for (const [at, { from, to }] of fields.entries()) {
    if (!known.some(({ path }) => path === from))
      throw fieldError(`fields.${at}.from`, `Le champ «\u00a0${from}\u00a0» n’est pas dans cet événement.`)
    if (fields.findIndex((one) => one.to === to) !== at)
      throw fieldError(`fields.${at}.to`, `Deux champs ne peuvent pas s’appeler «\u00a0${to}\u00a0».`)
  }
}

type Sums = { ruleId: string; sent: number; failed: number }
async function sumsOf(db: Db, companyId: number): Promise<Map<string, Sums>> {
  const { rows } = await db.execute<Sums>(sql`
    select rule_id as "ruleId", count(*) filter (where status = 'sent')::int as sent,
           count(*) filter (where status = 'failed')::int as failed
      from flow_deliveries where company_id = ${companyId} and created_at > now() - interval '30 days' group by 1`)
  return new Map(rows.map((row) => [row.ruleId, row]))
}

type Around = { sums: Map<string, Sums>; labels: Map<string, string> }
const aroundOf = async (db: Db, companyId: number): Promise<Around> => ({
  sums: await sumsOf(db, companyId),
  labels: new Map((await destinationsOf(db, companyId)).map(({ kind, id, label }) => [`${kind} ${id}`, label])),
})

function toRule(row: RuleRow, { sums, labels }: Around): FlowRule {
  const { id, name, active, createdBy, version, destinationId } = row
  const kind = row.destination as DestinationKind // written below
  const { sent = 0, failed = 0 } = sums.get(id) ?? {}
  return {
    id,
    name,
    ...shapeOf(row),
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

export async function listRules(db: Db, actor: Actor, query: ListQuery) {
  const where = and(ruleScope(actor), matches(query.q, [flowRules.name, flowRules.event]))
  const order = orderBy(query.sort, { name: flowRules.name, createdAt: flowRules.createdAt }, 'name')
  const { limit, offset } = pageOf(query)
  const rows = await db.select().from(flowRules).where(where).orderBy(order, flowRules.id).limit(limit).offset(offset)
  const [sum] = await db.select({ total: count() }).from(flowRules).where(where)
  const around = await aroundOf(db, actor.companyId)
  return { items: rows.map((row) => toRule(row, around)), total: sum?.total ?? 0 }
}

/** What is not this company's is not there to be chosen. */
async function requireDestination(tx: Db, { companyId }: Actor, { kind, id }: FlowRule['destination']) {
  const found = (await destinationsOf(tx, companyId)).some((one) => one.kind === kind && one.id === id)
  if (!found) throw fieldError('destination', 'Cette destination n’existe pas dans votre organisation.')
}

async function columnsOf(tx: Db, actor: Actor, draft: z.output<typeof RuleDraft>) {
  requireShape(draft)
  await requireDestination(tx, actor, draft.destination)
  const { name, event, conditions, fields, active, destination } = draft
  return { name, event, conditions, fields, active, destination: destination.kind, destinationId: destination.id }
}

export async function addRule(tx: Db, actor: Actor, draft: z.output<typeof RuleDraft>): Promise<FlowRule> {
  const { companyId } = actor
  const columns = await columnsOf(tx, actor, draft)
  const [sum] = await tx.select({ total: count() }).from(flowRules).where(ruleScope(actor))
  if ((sum?.total ?? 0) >= MOST)
    throw new AppError('conflict', { message: `Une organisation peut avoir ${MOST} règles au plus.` })
  const [row] = await tx
    .insert(flowRules)
    .values({ companyId, ...columns, createdBy: nameOfActor(actor) })
    .returning()
  if (!row) throw new AppError('internal')
  return toRule(row, await aroundOf(tx, companyId))
}

const one = (actor: Actor, id: string) => and(ruleScope(actor), eq(flowRules.id, id))

async function lockRule(tx: Db, actor: Actor, id: string): Promise<FlowRule> {
  const [row] = await tx.select().from(flowRules).where(one(actor, id)).for('update')
  if (!row) throw new AppError('not-found')
  return toRule(row, await aroundOf(tx, actor.companyId))
}

export async function changeRule(tx: Db, actor: Actor, id: string, change: z.output<typeof RuleChange>) {
  const before = await lockRule(tx, actor, id)
  requireVersion(before, change)
  const columns = await columnsOf(tx, actor, change)
  const [row] = await tx
    .update(flowRules)
    .set({ ...columns, version: before.version + 1 })
    .where(one(actor, id))
    .returning()
  if (!row) throw new AppError('not-found')
  return { before, after: toRule(row, await aroundOf(tx, actor.companyId)) }
}

export async function removeRule(tx: Db, actor: Actor, id: string): Promise<FlowRule> {
  const before = await lockRule(tx, actor, id)
  await tx.delete(flowRules).where(one(actor, id))
  return before
}
