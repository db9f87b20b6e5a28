import { createHash } from 'node:crypto'
import { addMonths, daysBetween, monthOf } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { buildSyncCalls } from './cut.ts'
import { filterNotInFlight } from './in-flight.ts'
import { listSyncMembers } from './members.ts'
import type { SyncPlanContext } from './plan.ts'
import { isLookedForDaily, loadReceivedPointIds } from './plan-month.ts'
import { createSyncTask } from './tasks.ts'

/**
 * Most corrections come early: months are requested again each week, then every fourth week, as far back as the
 * limitation period for claims.
 */
const RECENT_MONTHS = 3
const RECENT_DAYS = 7
const OLDER_MONTHS = 14
const OLDER_DAYS = 28
/** Per operation, so that months due together, after an interruption or a history import, are spread again. */
const MAX_MONTHS_PER_DAY = 2
/** All companies share the distributor's API, and most have the same hour configured. */
const SPREAD_MINUTES = 180

type PastRequest = { from: string; to: string; on: string; whole: boolean; points: number }
type DueMonth = { month: string; recent: boolean; asked: string; others: PastRequest[] }

const getIntervalDays = ({ recent }: Pick<DueMonth, 'recent'>) => (recent ? RECENT_DAYS : OLDER_DAYS)

async function listPastRequests(
  tx: Db,
  { companyId, operationId }: SyncPlanContext,
  oldest: string,
): Promise<PastRequest[]> {
  const { rows } = await tx.execute<PastRequest>(sql`
    select from_day::text as "from", to_day::text as "to", (created_at at time zone 'Europe/Paris')::date::text as "on",
           trigger in ('weekly', 'backfill') as whole, points
      from sync_tasks where company_id = ${companyId} and operation_id = ${operationId} and kind = 'definitive'
       and to_day > ${oldest}`)
  return rows
}

/** Months not requested recently, the oldest request first. */
async function listDueMonths(tx: Db, planned: SyncPlanContext): Promise<DueMonth[]> {
  const { today } = planned
  const months = Array.from({ length: OLDER_MONTHS }, (_, back) => addMonths(monthOf(today), -1 - back))
  const asked = await listPastRequests(tx, planned, months.at(-1) ?? today)
  return months
    .map((month, back): DueMonth => {
      const own = asked.filter(({ from, to }) => from <= month && to > month)
      const days = own.filter(({ whole }) => whole).map(({ on }) => on)
      const others = own.filter(({ whole }) => !whole)
      return { month, recent: back < RECENT_MONTHS, asked: days.sort().at(-1) ?? '', others }
    })
    .filter((due) => !due.asked || daysBetween(due.asked, today) >= getIntervalDays(due))
    .sort((a, b) => (a.asked === b.asked ? 0 : a.asked < b.asked ? -1 : 1))
}

const wasPlannedToday = async (tx: Db, { companyId, operationId, dawn }: SyncPlanContext): Promise<boolean> => {
  const { rowCount } = await tx.execute(sql`
    select 1 from sync_tasks where company_id = ${companyId} and operation_id = ${operationId} and kind = 'definitive'
       and trigger = 'weekly' and created_at >= ${dawn.toISOString()}::timestamptz limit 1`)
  return Boolean(rowCount)
}

/**
 * Whether the month was recently requested for every point. A manual request of one point, or a month that is still
 * awaited, does not count.
 */
const wasAskedRecently = (due: DueMonth, points: number, today: string) =>
  due.others.some((one) => one.points >= points && daysBetween(one.on, today) < getIntervalDays(due))

/** Points whose figures arrived and may be corrected; for a while also those that never answered. */
async function listMembersToAsk(tx: Db, planned: SyncPlanContext, due: DueMonth) {
  const { companyId, operationId, today } = planned
  const { month, recent, asked, others } = due
  const came = await loadReceivedPointIds(tx, planned, 'definitive', month)
  const late = recent && (asked !== '' || others.length > 0) && !isLookedForDaily(month, today)
  if (!late && !came.size) return []
  const span = { from: month, to: addMonths(month, 1) }
  const members = (await listSyncMembers(tx, { companyId, operationId, span })).filter(({ link }) => !link?.blockedAt)
  if (wasAskedRecently(due, new Set(members.map(({ pointId }) => pointId)).size, today)) return []
  return members.filter(({ pointId }) => late || came.has(pointId))
}

/** A delay after the company's hour, always the same for an operation and month. */
function computeStartAt({ operationId, now }: SyncPlanContext, month: string): Date {
  const chance = createHash('sha256').update(`${operationId} ${month}`).digest().readUInt32BE(0)
  return new Date(now.getTime() + (chance % SPREAD_MINUTES) * 60_000)
}

/** Definitive figures may be corrected: requests known months again, with one task per month. */
export async function planMonthCorrections(tx: Db, planned: SyncPlanContext): Promise<void> {
  if (await wasPlannedToday(tx, planned)) return
  const { companyId, today, acc } = planned
  let made = 0
  for (const due of await listDueMonths(tx, planned)) {
    const span = { from: due.month, to: addMonths(due.month, 1) }
    const members = await listMembersToAsk(tx, planned, due)
    const calls = await filterNotInFlight(
      tx,
      companyId,
      'definitive',
      buildSyncCalls('definitive', span, members, { acc, today }),
    )
    if (!calls.length) continue
    const startAt = computeStartAt(planned, due.month)
    await createSyncTask(tx, {
      ...planned,
      ...span,
      kind: 'definitive',
      trigger: 'weekly',
      createdBy: null,
      calls,
      startAt,
    })
    made += 1
    if (made === MAX_MONTHS_PER_DAY) return
  }
}
