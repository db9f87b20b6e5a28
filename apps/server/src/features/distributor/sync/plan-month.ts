import type { SyncKind } from '@voisol/contract/sync'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { buildSyncCalls } from './cut.ts'
import { filterNotInFlight } from './in-flight.ts'
import { listSyncMembers } from './members.ts'
import type { SyncPlanContext } from './plan.ts'
import { createSyncTask } from './tasks.ts'

/** Monthly figures appear within the first days of the next month; they are requested daily until this day. */
const LAST_DAILY_DAY = 20

const wasTriedToday = async (
  tx: Db,
  { companyId, operationId, dawn }: SyncPlanContext,
  kind: SyncKind,
): Promise<boolean> => {
  const { rowCount } = await tx.execute(sql`
    select 1 from sync_tasks where company_id = ${companyId} and operation_id = ${operationId} and kind = ${kind}
       and trigger = 'schedule' and created_at >= ${dawn.toISOString()}::timestamptz limit 1`)
  return Boolean(rowCount)
}

/** Whether a month is still requested daily. */
export const isLookedForDaily = (month: string, today: string): boolean =>
  month === addMonths(monthOf(today), -1) && Number(today.slice(8)) <= LAST_DAILY_DAY

/** The points whose figures of the month have been received. */
export async function loadReceivedPointIds(
  tx: Db,
  { companyId, operationId }: SyncPlanContext,
  kind: SyncKind,
  month: string,
): Promise<Set<string>> {
  const tables: Partial<Record<SyncKind, SQL>> = {
    definitive: sql`select distinct point_id as id from distributor_quantities where company_id = ${companyId}
      and operation_id = ${operationId} and source = 'api' and from_day = ${month} and superseded_at is null`,
    'agreement-series': sql`select distinct point_id as id from distributor_days where company_id = ${companyId}
      and operation_id = ${operationId} and type = 'autocons' and day >= ${month} and day < ${addMonths(month, 1)}`,
  }
  const query = tables[kind]
  if (!query) return new Set()
  const { rows } = await tx.execute<{ id: string }>(query)
  return new Set(rows.map(({ id }) => id))
}

async function hasReceivedPerimeter(tx: Db, { companyId, operationId, today }: SyncPlanContext): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`
    select 1 from distributor_perimeters where company_id = ${companyId} and operation_id = ${operationId}
       and read_at >= ${monthOf(today)}::timestamp at time zone 'Europe/Paris' limit 1`)
  return Boolean(rowCount)
}

/** Requests the figures of the past month and the members of the agreement, once a day until received. */
export async function planMonth(tx: Db, planned: SyncPlanContext): Promise<void> {
  const { companyId, operationId, today, acc } = planned
  const span = { from: addMonths(monthOf(today), -1), to: monthOf(today) }
  if (!isLookedForDaily(span.from, today)) return
  const members = (await listSyncMembers(tx, { companyId, operationId, span })).filter(({ link }) => !link?.blockedAt)
  for (const kind of ['perimeter', 'definitive', 'agreement-series'] as const) {
    if (!members.length || (await wasTriedToday(tx, planned, kind))) continue
    if (kind === 'perimeter' && (await hasReceivedPerimeter(tx, planned))) continue
    const came = await loadReceivedPointIds(tx, planned, kind, span.from)
    const left = members.filter(({ pointId }) => !came.has(pointId))
    const calls = await filterNotInFlight(tx, companyId, kind, buildSyncCalls(kind, span, left, { acc, today }))
    if (calls.length)
      await createSyncTask(tx, { ...planned, ...span, kind, trigger: 'schedule', createdBy: null, calls })
  }
}
