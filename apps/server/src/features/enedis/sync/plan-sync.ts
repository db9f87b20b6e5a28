import { createHash } from 'node:crypto'
import type { SyncKind } from '@voisol/contract/sync'
import { addDays, addMonths, dayStart, daysBetween, listDays, monthOf } from '@voisol/energy/calendar'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { type Db, transaction } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { findCredentialFor } from '../credentials/index.ts'
import { getArrivalMinutes } from './arrival-times.ts'
import { retryDoubtfulPoints } from './blocked-points.ts'
import {
  buildSyncCalls,
  clipToMember,
  groupDaysByWeek,
  type LinkedMember,
  listSyncMembers,
  type SyncCall,
} from './build-calls.ts'
import { type Clock, getParisTime, SYSTEM_CLOCK } from './call-slots.ts'
import { MIXED_STEPS_CODE } from './handle-call-outcomes.ts'
import { createSyncTask } from './start-task.ts'

type PlannedCompany = { companyId: number; hour: number; rollingDays: number }
/** What is needed to plan the sync of one operation. */
type SyncPlanContext = PlannedCompany & {
  operationId: string
  acc: string
  credentialId: string
  now: Date
  today: string
  /** The instant at which the local day began. */
  dawn: Date
}

/** Companies with sync enabled; without a setting, those that have credentials. */
const listCompaniesToPlan = async (db: Db): Promise<PlannedCompany[]> => {
  const { rows } = await db.execute<PlannedCompany>(sql`
    select c.company_id as "companyId", coalesce(s.hour, 8) as hour, coalesce(s.rolling_days, 30) as "rollingDays"
      from (select distinct company_id from enedis_credentials) c
      left join sync_settings s on s.company_id = c.company_id
     where coalesce(s.enabled, true) order by c.company_id`)
  return rows
}

/** Plans today's requests after the configured hour of each company. Running again adds nothing. */
export async function planDailySync(deps: Deps, clock: Clock = SYSTEM_CLOCK): Promise<void> {
  const now = clock.now()
  const { day: today, minuteOfDay } = getParisTime(now)
  const dawn = new Date(dayStart(today) * 60_000)
  for (const company of await listCompaniesToPlan(deps.db)) {
    if (minuteOfDay < company.hour * 60) continue
    try {
      await planCompany(deps, company, { now, today, dawn })
    } catch (err) {
      // An error in one company must not stop the others.
      deps.log.error({ err, companyId: company.companyId }, 'the day of a company was not planned')
    }
  }
}

async function planCompany(
  deps: Deps,
  company: PlannedCompany,
  day: Pick<SyncPlanContext, 'now' | 'today' | 'dawn'>,
): Promise<void> {
  const { companyId } = company
  await transaction(deps.db, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`sync plan ${companyId}`}, 0))`)
    await retryDoubtfulPoints(tx, companyId, day.now)
    const running = await tx
      .select({ operationId: operations.id, acc: operations.accNumber })
      .from(operations)
      .where(and(eq(operations.companyId, companyId), eq(operations.status, 'active')))
      .orderBy(operations.name, operations.id)
    for (const { operationId, acc } of running) {
      const credential = await findCredentialFor(tx, companyId, operationId)
      if (!credential) continue
      const planned = { ...company, ...day, operationId, acc: acc ?? '', credentialId: credential.id }
      await planCurves(tx, planned)
      if (!acc) continue
      await planMonth(tx, planned)
      await planMonthCorrections(tx, planned)
    }
  })
}

/** Credentials with due calls, or with calls left by a killed process. */
export async function enqueueDueRuns(deps: Deps, clock: Clock = SYSTEM_CLOCK): Promise<void> {
  const { rows } = await deps.db.execute<{ companyId: number; credentialId: string }>(sql`
    select distinct w.company_id as "companyId", w.credential_id as "credentialId"
      from sync_windows w join enedis_credentials c on c.company_id = w.company_id and c.id = w.credential_id
     where w.status in ('waiting', 'running') and w.next_at <= ${clock.now().toISOString()}::timestamptz
       and (c.paused_until is null or c.paused_until <= ${clock.now().toISOString()}::timestamptz)`)
  for (const job of rows) await enqueue(deps.db, 'sync.run', job, { once: job.credentialId })
}

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

type CallKey = Pick<SyncCall, 'subject' | 'direction' | 'from' | 'to'>

const getCallKey = ({ subject, direction, from, to }: CallKey) => `${subject} ${direction} ${from} ${to}`

/** Filters out the calls that another task is making already. */
async function filterNotInFlight(tx: Db, companyId: number, kind: SyncKind, calls: SyncCall[]): Promise<SyncCall[]> {
  if (!calls.length) return calls
  const subjects = sql.param([...new Set(calls.map(({ subject }) => subject))])
  const { rows } = await tx.execute<CallKey>(sql`
    select subject, direction, from_day::text as "from", to_day::text as "to" from sync_windows
     where company_id = ${companyId} and kind = ${kind} and subject = any(${subjects}::text[])
       and status in ('waiting', 'running')`)
  const inFlight = new Set(rows.map(getCallKey))
  return calls.filter((call) => !inFlight.has(getCallKey(call)))
}

/** Definitive figures may be corrected: requests known months again, with one task per month. */
async function planMonthCorrections(tx: Db, planned: SyncPlanContext): Promise<void> {
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
const isLookedForDaily = (month: string, today: string): boolean =>
  month === addMonths(monthOf(today), -1) && Number(today.slice(8)) <= LAST_DAILY_DAY

/** The points whose figures of the month have been received. */
async function loadReceivedPointIds(
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
async function planMonth(tx: Db, planned: SyncPlanContext): Promise<void> {
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

/** The last days are always requested, since they may still be corrected. */
const PLAN_CURVES_RECENT_DAYS = 3
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

const planCurvesWasPlannedToday = async (
  tx: Db,
  { companyId, operationId, dawn }: SyncPlanContext,
): Promise<boolean> => {
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
      if (full || age <= PLAN_CURVES_RECENT_DAYS) return true
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

async function planCurves(tx: Db, planned: SyncPlanContext): Promise<void> {
  const { companyId, operationId, today, rollingDays } = planned
  const span = { from: addDays(today, -rollingDays - GRACE_DAYS), to: today }
  const members = (await listSyncMembers(tx, { companyId, operationId, span })).filter(({ link }) => !link?.blockedAt)
  if (!members.length) return
  const known = await loadKnownDays(tx, planned, members)
  const later = await planCurvesWasPlannedToday(tx, planned)
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
