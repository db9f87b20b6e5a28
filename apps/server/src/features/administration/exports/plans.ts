import { DATA_SETS } from '@voisol/contract/data-sets'
import type { ExportPlan, NewExportPlan } from '@voisol/contract/exports'
import { can } from '@voisol/contract/permissions'
import { and, asc, count, eq, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import { CONNECTORS } from '../../../adapters/connections/table.ts'
import { record } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { connections, exportPlans } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { refusalOf as refusedNow } from '../../../http/job-actor.ts'
import { requireReach } from './ask.ts'
import { finish } from './finish.ts'
import { fileKind, type Order, refusalOf, requireRight, requireSense, stemOf, toOrder } from './order.ts'
import { planScope } from './scope.ts'
import { NOTHING, writeDraft } from './write.ts'

export type Plan = typeof exportPlans.$inferSelect
const MOST = 50
const DELIVERING = CONNECTORS.filter(({ can: able }) => able.includes('deliver')).map(({ kind }) => kind)

/** Where a file can be sent, for whoever may see it. */
export async function destinations(db: Db, actor: Actor) {
  if (!can(actor, 'connections.read')) return []
  return db
    .select({ id: connections.id, name: connections.name })
    .from(connections)
    .where(and(eq(connections.companyId, actor.companyId), inArray(connections.kind, DELIVERING)))
    .orderBy(asc(connections.name))
}

type Period = z.infer<typeof NewExportPlan>['period']
/** The days of a plan that leaves today. */
export function daysOf(period: Period, today: string): { from: string; to: string } {
  const day = Temporal.PlainDate.from(today)
  const month = day.with({ day: 1 })
  const monday = day.subtract({ days: day.dayOfWeek - 1 })
  const spans = {
    yesterday: [day.subtract({ days: 1 }), day],
    'last-week': [monday.subtract({ days: 7 }), monday],
    'last-month': [month.subtract({ months: 1 }), month],
    'month-to-date': [month, day],
  } as const
  const [from, to] = spans[period]
  return { from: from.toString(), to: to.toString() }
}

export function orderOf(plan: Plan, today: string): Order {
  const order = toOrder({ ...plan, from: null, to: null })
  // Checked by the table.
  return DATA_SETS[order.dataSet].period ? { ...order, ...daysOf(plan.period as Period, today) } : order
}

const shownWith = (plan: Plan, connection: typeof connections.$inferSelect, trouble: string): ExportPlan => {
  const { name, schedule, nextRunAt, state } = connection
  const { dataSet, format, dialect, operationId, participantId } = toOrder({ ...plan, from: null, to: null })
  return {
    id: plan.id,
    name: plan.name,
    connectionId: plan.connectionId,
    connection: name,
    schedule: state === 'active' ? schedule : state,
    nextRunAt: state === 'active' ? (nextRunAt?.toISOString() ?? null) : null,
    dataSet,
    label: DATA_SETS[dataSet].label,
    period: plan.period as Period, // checked by the table
    operationId,
    participantId,
    format,
    dialect,
    trouble,
    createdAt: plan.createdAt.toISOString(),
    version: plan.version,
  }
}

/** In whose name it leaves, and what they must be allowed to read then. */
export const askerOf = ({ companyId, makerId: userId, keyId }: Plan) => ({ companyId, userId, keyId })
export const permissionOf = (plan: Plan) => DATA_SETS[toOrder({ ...plan, from: null, to: null }).dataSet].permission

export async function listPlans(db: Db, actor: Actor, id?: string): Promise<ExportPlan[]> {
  const rows = await db
    .select({ plan: exportPlans, connection: connections })
    .from(exportPlans)
    .innerJoin(
      connections,
      and(eq(connections.companyId, exportPlans.companyId), eq(connections.id, exportPlans.connectionId)),
    )
    .where(and(planScope(actor), id ? eq(exportPlans.id, id) : undefined))
    .orderBy(asc(exportPlans.name), exportPlans.id)
    .limit(MOST)
  const shown: ExportPlan[] = []
  for (const { plan, connection } of rows) {
    const refused = await refusedNow(db, askerOf(plan), { permission: permissionOf(plan) })
    shown.push(shownWith(plan, connection, refused?.message ?? ''))
  }
  return shown
}

/** Sending elsewhere is the right of those who keep the connections; what is sent is what they may see themselves. */
export async function makePlan(tx: Db, actor: Actor, input: z.output<typeof NewExportPlan>): Promise<ExportPlan> {
  if (!can(actor, 'connections.write'))
    throw new AppError('forbidden', {
      message: 'Envoyer régulièrement par une connexion demande le droit de la régler.',
    })
  const { name, connectionId, period, ...order } = input
  requireRight(actor, order.dataSet)
  const days = DATA_SETS[order.dataSet].period ? daysOf(period, '2026-01-15') : { from: null, to: null }
  requireSense({ ...order, ...days })
  await requireReach(tx, actor, order)
  if (!(await destinations(tx, actor)).some(({ id }) => id === connectionId))
    throw fieldError('connectionId', 'Choisissez une connexion de votre organisation qui dépose des fichiers.')
  const [sum] = await tx.select({ n: count() }).from(exportPlans).where(planScope(actor))
  if ((sum?.n ?? 0) >= MOST)
    throw new AppError('conflict', { message: `Au plus ${MOST} exports réguliers par personne.` })
  const { companyId, userId: makerId, keyId } = actor
  const [plan] = await tx
    .insert(exportPlans)
    .values({ ...order, companyId, makerId, keyId: keyId ?? null, name, connectionId, period })
    .returning()
  const [shown] = plan ? await listPlans(tx, actor, plan.id) : []
  if (!shown) throw new AppError('internal')
  const data = { planId: shown.id, connectionId, dataSet: shown.dataSet, name }
  await record(tx, { companyId, name: 'export.planned', object: shown.id, data })
  return shown
}

export async function removePlan(tx: Db, actor: Actor, id: string): Promise<Plan> {
  const [plan] = await tx
    .delete(exportPlans)
    .where(and(planScope(actor), eq(exportPlans.id, id)))
    .returning()
  if (!plan) throw new AppError('not-found')
  const data = { planId: id, connectionId: plan.connectionId, dataSet: plan.dataSet, name: plan.name }
  await record(tx, { companyId: actor.companyId, name: 'export.unplanned', object: id, data })
  return plan
}

export const plansOf = (db: Db, companyId: number, connectionId: string): Promise<Plan[]> =>
  db
    .select()
    .from(exportPlans)
    .where(and(eq(exportPlans.companyId, companyId), eq(exportPlans.connectionId, connectionId)))
    .orderBy(asc(exportPlans.createdAt), exportPlans.id)

/** The file of a plan, in a folder that is gone with the run. */
export async function makeFile(deps: Deps, actor: Actor, plan: Plan, folder: string, today: string) {
  const order = orderOf(plan, today)
  const save = async ({ rows }: { rows: number }) => {
    const refusal = refusalOf(order.format, rows)
    if (refusal) throw new AppError('invalid', { message: refusal })
    return true
  }
  const written = await writeDraft({ deps, actor, order, folder, save }, NOTHING)
  const path = await finish(order, written?.rows ?? 0, folder)
  const { extension, type } = fileKind(order.format)
  return { name: `${stemOf(order)}.${extension}`, path, type }
}
