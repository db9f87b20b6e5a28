import { addDays, dayStart, daysBetween, listDays } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { getArrivalMinutes } from './arrival.ts'
import { clipToMember, groupDaysByWeek, type SyncCall } from './cut.ts'
import { MIXED_STEPS_CODE } from './failures.ts'
import { filterNotInFlight } from './in-flight.ts'
import { type LinkedMember, listSyncMembers } from './members.ts'
import type { SyncPlanContext } from './plan.ts'
import { createSyncTask } from './tasks.ts'

/** The last days are always requested, since they may still be corrected. */
const RECENT_DAYS = 3
/** All days of the window are requested once a week. */
const WEEK_DAYS = 7

/** Older days are ignored, except incomplete ones that were requested before. */
const GRACE_DAYS = 7

type KnownDays = {
  whole: Set<string>
  /** When each day was last requested, and whether it came in several steps. */
  asked: Map<string, { at: number; mixed: boolean }>
}
type AskedWindow = { pointId: string; from: string; to: string; at: string; code: string | null }
const getDayKey = (pointId: string, day: string) => `${pointId} ${day}`

async function loadKnownDays(
  tx: Db,
  { companyId, today, rollingDays }: SyncPlanContext,
  members: LinkedMember[],
): Promise<KnownDays> {
  const ids = sql`${sql.param(members.map(({ pointId }) => pointId))}::uuid[]`
  const from = addDays(today, -rollingDays - GRACE_DAYS)
  const whole = await tx.execute<{ pointId: string; day: string }>(sql`
    select point_id as "pointId", day::text from curve_days
     where company_id = ${companyId} and point_id = any(${ids}) and day >= ${from} and day < ${today}
       and superseded_at is null and present = expected`)
  const askedWindows = await tx.execute<AskedWindow>(sql`
    select distinct on (point_id, from_day, to_day) point_id as "pointId", from_day::text as "from", to_day::text as "to",
           extract(epoch from coalesce(finished_at, next_at)) as at, fault->>'code' as code
      from sync_windows
     where company_id = ${companyId} and kind = 'load-curve' and point_id = any(${ids}) and to_day > ${from}
       and status <> 'skipped'
     order by point_id, from_day, to_day, coalesce(finished_at, next_at) desc`)
  const last = new Map<string, { at: number; mixed: boolean }>()
  for (const { pointId, from: first, to, at, code } of askedWindows.rows)
    for (const day of listDays(first, to)) {
      const name = getDayKey(pointId, day)
      if ((last.get(name)?.at ?? 0) < Number(at) * 1000)
        last.set(name, { at: Number(at) * 1000, mixed: code === MIXED_STEPS_CODE })
    }
  const present = whole.rows.map((row) => getDayKey(row.pointId, row.day))
  return { whole: new Set(present.filter((name) => !last.get(name)?.mixed)), asked: last }
}

const wasPlannedToday = async (tx: Db, { companyId, operationId, dawn }: SyncPlanContext): Promise<boolean> => {
  const { rowCount } = await tx.execute(sql`
    select 1 from sync_tasks where company_id = ${companyId} and operation_id = ${operationId} and kind = 'load-curve'
       and trigger in ('schedule', 'weekly') and created_at >= ${dawn.toISOString()}::timestamptz limit 1`)
  return Boolean(rowCount)
}

/** A week after the last full sync, on whatever day the server runs again. */
async function isFullDue(tx: Db, { companyId, operationId, today }: SyncPlanContext): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`
    select 1 from sync_tasks where company_id = ${companyId} and operation_id = ${operationId} and kind = 'load-curve'
       and trigger = 'weekly' and (created_at at time zone 'Europe/Paris')::date > ${addDays(today, -WEEK_DAYS)} limit 1`)
  return !rowCount
}

/** When the readings of a day are usually available for this point. */
const getDueTime = (day: string, { link }: LinkedMember) =>
  (dayStart(addDays(day, 1)) + getArrivalMinutes(link)) * 60_000

type DayChooser = (planned: SyncPlanContext, member: LinkedMember, days: string[], known: KnownDays) => string[]

/** Once a day: the last days, incomplete older ones, and all of them in a full sync. */
const createDailyChooser =
  (full: boolean): DayChooser =>
  ({ now, today, rollingDays }, member, days, known) =>
    days.filter((day) => {
      const name = getDayKey(member.pointId, day)
      const age = daysBetween(day, today)
      if (age > rollingDays) return known.asked.has(name) && !known.whole.has(name)
      if (full || age <= RECENT_DAYS) return true
      return !known.whole.has(name) && getDueTime(day, member) <= now.getTime()
    })

/** Later in the day: what was missing and is usually available by now. */
const chooseGapDays: DayChooser = ({ now, today, rollingDays }, member, days, known) =>
  days.filter((day) => {
    if (daysBetween(day, today) > rollingDays) return false
    const name = getDayKey(member.pointId, day)
    const due = getDueTime(day, member)
    return !known.whole.has(name) && due <= now.getTime() && (known.asked.get(name)?.at ?? 0) < due
  })

export async function planCurves(tx: Db, planned: SyncPlanContext): Promise<void> {
  const { companyId, operationId, today, rollingDays } = planned
  const span = { from: addDays(today, -rollingDays - GRACE_DAYS), to: today }
  const members = (await listSyncMembers(tx, { companyId, operationId, span })).filter(({ link }) => !link?.blockedAt)
  if (!members.length) return
  const known = await loadKnownDays(tx, planned, members)
  const later = await wasPlannedToday(tx, planned)
  const full = !later && (await isFullDue(tx, planned))
  const choose = later ? chooseGapDays : createDailyChooser(full)
  const calls: SyncCall[] = members.flatMap((member) => {
    const { pointId, prm: subject, direction } = member
    const { from, to } = clipToMember(span, member)
    const days = choose(planned, member, listDays(from, to), known)
    return groupDaysByWeek(days).map((part) => ({ ...part, pointId, subject, direction }))
  })
  const left = await filterNotInFlight(tx, companyId, 'load-curve', calls)
  if (!left.length) return
  await createSyncTask(tx, {
    ...planned,
    kind: 'load-curve',
    trigger: later ? 'gap' : full ? 'weekly' : 'schedule',
    createdBy: null,
    from: left.map((call) => call.from).reduce((a, b) => (a < b ? a : b)),
    to: today,
    calls: left,
  })
}
