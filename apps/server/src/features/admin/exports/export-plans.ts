import { DATA_SETS } from '@voisol/contract/data-sets'
import type { ExportPlan, NewExportPlan } from '@voisol/contract/exports'
import { hasPermission } from '@voisol/contract/permissions'
import { and, asc, count, eq, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { connections, exportPlans } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { findJobRefusal as refusedNow } from '../../../http/job-actor.ts'
import { CONNECTORS } from '../../../integrations/connections/connectors.ts'
import {
  type ExportOrder,
  getFileKind,
  getFileStem,
  getSizeRefusal,
  requireDataSetPermission,
  requireValidFilters,
  toExportOrder,
} from './export-order.ts'
import { exportPlanScope } from './export-queries.ts'
import { requireFiltersInScope } from './request-export.ts'
import { finishExportFile, NO_PROGRESS, writeExportDraft } from './write-export.ts'

export type ExportPlanRow = typeof exportPlans.$inferSelect
const MAX_PLANS = 50
const DELIVERING_KINDS = CONNECTORS.filter(({ can: able }) => able.includes('deliver')).map(({ kind }) => kind)

/** The connections that can receive files, for users who may see them. */
export async function listExportDestinations(db: Db, actor: Actor) {
  if (!hasPermission(actor, 'connections.read')) return []
  return db
    .select({ id: connections.id, name: connections.name })
    .from(connections)
    .where(and(eq(connections.companyId, actor.companyId), inArray(connections.kind, DELIVERING_KINDS)))
    .orderBy(asc(connections.name))
}

type Period = z.infer<typeof NewExportPlan>['period']
/** The period of a plan that runs today. */
export function getPlanDays(period: Period, today: string): { from: string; to: string } {
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

function toPlanOrder(plan: ExportPlanRow, today: string): ExportOrder {
  const order = toExportOrder({ ...plan, from: null, to: null })
  // The column has a CHECK constraint.
  return DATA_SETS[order.dataSet].period ? { ...order, ...getPlanDays(plan.period as Period, today) } : order
}

const toExportPlan = (
  plan: ExportPlanRow,
  connection: typeof connections.$inferSelect,
  trouble: string,
): ExportPlan => {
  const { name, schedule, nextRunAt, state } = connection
  const { dataSet, format, dialect, operationId, participantId } = toExportOrder({ ...plan, from: null, to: null })
  return {
    id: plan.id,
    name: plan.name,
    connectionId: plan.connectionId,
    connection: name,
    schedule: state === 'active' ? schedule : state,
    nextRunAt: state === 'active' ? (nextRunAt?.toISOString() ?? null) : null,
    dataSet,
    label: DATA_SETS[dataSet].label,
    period: plan.period as Period, // the column has a CHECK constraint
    operationId,
    participantId,
    format,
    dialect,
    trouble,
    createdAt: plan.createdAt.toISOString(),
    version: plan.version,
  }
}

/** The user or key in whose name the plan runs, and the permissions needed then. */
export const getPlanRequester = ({ companyId, makerId: userId, keyId }: ExportPlanRow) => ({ companyId, userId, keyId })
export const getPlanPermission = (plan: ExportPlanRow) =>
  DATA_SETS[toExportOrder({ ...plan, from: null, to: null }).dataSet].permission

export async function listExportPlans(db: Db, actor: Actor, id?: string): Promise<ExportPlan[]> {
  const rows = await db
    .select({ plan: exportPlans, connection: connections })
    .from(exportPlans)
    .innerJoin(
      connections,
      and(eq(connections.companyId, exportPlans.companyId), eq(connections.id, exportPlans.connectionId)),
    )
    .where(and(exportPlanScope(actor), id ? eq(exportPlans.id, id) : undefined))
    .orderBy(asc(exportPlans.name), exportPlans.id)
    .limit(MAX_PLANS)
  const views: ExportPlan[] = []
  for (const { plan, connection } of rows) {
    const refused = await refusedNow(db, getPlanRequester(plan), { permission: getPlanPermission(plan) })
    views.push(toExportPlan(plan, connection, refused?.message ?? ''))
  }
  return views
}

/** Sending data out needs the permission to manage connections; the data is limited to what the user may read. */
export async function createExportPlan(
  tx: Db,
  actor: Actor,
  input: z.output<typeof NewExportPlan>,
): Promise<ExportPlan> {
  if (!hasPermission(actor, 'connections.write'))
    throw new AppError('forbidden', {
      message: 'Envoyer régulièrement par une connexion demande le droit de la régler.',
    })
  const { name, connectionId, period, ...order } = input
  requireDataSetPermission(actor, order.dataSet)
  const days = DATA_SETS[order.dataSet].period ? getPlanDays(period, '2026-01-15') : { from: null, to: null }
  requireValidFilters({ ...order, ...days })
  await requireFiltersInScope(tx, actor, order)
  if (!(await listExportDestinations(tx, actor)).some(({ id }) => id === connectionId))
    throw fieldError('connectionId', 'Choisissez une connexion de votre organisation qui dépose des fichiers.')
  const [sum] = await tx.select({ n: count() }).from(exportPlans).where(exportPlanScope(actor))
  if ((sum?.n ?? 0) >= MAX_PLANS)
    throw new AppError('conflict', { message: `Au plus ${MAX_PLANS} exports réguliers par personne.` })
  const { companyId, userId: makerId, keyId } = actor
  const [plan] = await tx
    .insert(exportPlans)
    .values({ ...order, companyId, makerId, keyId: keyId ?? null, name, connectionId, period })
    .returning()
  const [created] = plan ? await listExportPlans(tx, actor, plan.id) : []
  if (!created) throw new AppError('internal')
  const data = { planId: created.id, connectionId, dataSet: created.dataSet, name }
  await recordEvent(tx, { companyId, name: 'export.planned', object: created.id, data })
  return created
}

export async function removeExportPlan(tx: Db, actor: Actor, id: string): Promise<ExportPlanRow> {
  const [plan] = await tx
    .delete(exportPlans)
    .where(and(exportPlanScope(actor), eq(exportPlans.id, id)))
    .returning()
  if (!plan) throw new AppError('not-found')
  const data = { planId: id, connectionId: plan.connectionId, dataSet: plan.dataSet, name: plan.name }
  await recordEvent(tx, { companyId: actor.companyId, name: 'export.unplanned', object: id, data })
  return plan
}

export const listPlansOfConnection = (db: Db, companyId: number, connectionId: string): Promise<ExportPlanRow[]> =>
  db
    .select()
    .from(exportPlans)
    .where(and(eq(exportPlans.companyId, companyId), eq(exportPlans.connectionId, connectionId)))
    .orderBy(asc(exportPlans.createdAt), exportPlans.id)

/** Builds the file of a plan in a temporary folder, deleted after the run. */
export async function makePlanFile(deps: Deps, actor: Actor, plan: ExportPlanRow, folder: string, today: string) {
  const order = toPlanOrder(plan, today)
  const save = async ({ rows }: { rows: number }) => {
    const refusal = getSizeRefusal(order.format, rows)
    if (refusal) throw new AppError('invalid', { message: refusal })
    return true
  }
  const written = await writeExportDraft({ deps, actor, order, folder, save }, NO_PROGRESS)
  const path = await finishExportFile(order, written?.rows ?? 0, folder)
  const { extension, type } = getFileKind(order.format)
  return { name: `${getFileStem(order)}.${extension}`, path, type }
}
