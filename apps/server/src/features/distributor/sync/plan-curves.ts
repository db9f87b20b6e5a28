import { addDays, dayStart, daysBetween, listDays } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { arrivalMinutes } from './arrival.ts'
import { type Call, clip, cutDays } from './cut.ts'
import { MIXED } from './failures.ts'
import { notInFlight } from './in-flight.ts'
import { type LinkedMember, membersOf } from './members.ts'
import type { Planned } from './plan.ts'
import { createTask } from './tasks.ts'

/** The last days are asked for anyway: they may still be corrected. */
const FRESH_DAYS = 3
/** And all of them once a week. */
const WEEK = 7

/** Older days are no longer looked at, but for those that were asked for and lack something still. */
const GRACE_DAYS = 7

type Known = {
  whole: Set<string>
  /** When each day was last asked for, and whether it came in several steps. */
  asked: Map<string, { at: number; mixed: boolean }>
}
type Asked = { pointId: string; from: string; to: string; at: string; code: string | null }
const key = (pointId: string, day: string) => `${pointId} ${day}`

async function knownOf(tx: Db, { companyId, today, rollingDays }: Planned, members: LinkedMember[]): Promise<Known> {
  const ids = sql`${sql.param(members.map(({ pointId }) => pointId))}::uuid[]`
  const from = addDays(today, -rollingDays - GRACE_DAYS)
  const whole = await tx.execute<{ pointId: string; day: string }>(sql`
    select point_id as "pointId", day::text from curve_days
     where company_id = ${companyId} and point_id = any(${ids}) and day >= ${from} and day < ${today}
       and superseded_at is null and present = expected`)
  const asked = await tx.execute<Asked>(sql`
    select distinct on (point_id, from_day, to_day) point_id as "pointId", from_day::text as "from", to_day::text as "to",
           extract(epoch from coalesce(finished_at, next_at)) as at, fault->>'code' as code
      from sync_windows
     where company_id = ${companyId} and kind = 'load-curve' and point_id = any(${ids}) and to_day > ${from}
       and status <> 'skipped'
     order by point_id, from_day, to_day, coalesce(finished_at, next_at) desc`)
  const last = new Map<string, { at: number; mixed: boolean }>()
  for (const { pointId, from: first, to, at, code } of asked.rows)
    for (const day of listDays(first, to)) {
      const name = key(pointId, day)
      if ((last.get(name)?.at ?? 0) < Number(at) * 1000)
        last.set(name, { at: Number(at) * 1000, mixed: code === MIXED })
    }
  const present = whole.rows.map((row) => key(row.pointId, row.day))
  return { whole: new Set(present.filter((name) => !last.get(name)?.mixed)), asked: last }
}

const wasPlanned = async (tx: Db, { companyId, operationId, dawn }: Planned): Promise<boolean> => {
  const { rowCount } = await tx.execute(sql`
    select 1 from sync_tasks where company_id = ${companyId} and operation_id = ${operationId} and kind = 'load-curve'
       and trigger in ('schedule', 'weekly') and created_at >= ${dawn.toISOString()}::timestamptz limit 1`)
  return Boolean(rowCount)
}

/** A week after the last full pass, on whatever day the server is there again. */
async function isFullDue(tx: Db, { companyId, operationId, today }: Planned): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`
    select 1 from sync_tasks where company_id = ${companyId} and operation_id = ${operationId} and kind = 'load-curve'
       and trigger = 'weekly' and (created_at at time zone 'Europe/Paris')::date > ${addDays(today, -WEEK)} limit 1`)
  return !rowCount
}

/** When a day of a point is usually there. */
const dueAt = (day: string, { link }: LinkedMember) => (dayStart(addDays(day, 1)) + arrivalMinutes(link)) * 60_000

type Choose = (planned: Planned, member: LinkedMember, days: string[], known: Known) => string[]

/** Once a day: the last days, older ones that lack something, and all of them where the pass is a full one. */
const dailyDays =
  (full: boolean): Choose =>
  ({ now, today, rollingDays }, member, days, known) =>
    days.filter((day) => {
      const name = key(member.pointId, day)
      const age = daysBetween(day, today)
      if (age > rollingDays) return known.asked.has(name) && !known.whole.has(name)
      if (full || age <= FRESH_DAYS) return true
      return !known.whole.has(name) && dueAt(day, member) <= now.getTime()
    })

/** Later on: what was not there when it was asked for, and usually is by now. */
const gapDays: Choose = ({ now, today, rollingDays }, member, days, known) =>
  days.filter((day) => {
    if (daysBetween(day, today) > rollingDays) return false
    const name = key(member.pointId, day)
    const due = dueAt(day, member)
    return !known.whole.has(name) && due <= now.getTime() && (known.asked.get(name)?.at ?? 0) < due
  })

export async function planCurves(tx: Db, planned: Planned): Promise<void> {
  const { companyId, operationId, today, rollingDays } = planned
  const span = { from: addDays(today, -rollingDays - GRACE_DAYS), to: today }
  const members = (await membersOf(tx, { companyId, operationId, span })).filter(({ link }) => !link?.blockedAt)
  if (!members.length) return
  const known = await knownOf(tx, planned, members)
  const later = await wasPlanned(tx, planned)
  const full = !later && (await isFullDue(tx, planned))
  const choose = later ? gapDays : dailyDays(full)
  const calls: Call[] = members.flatMap((member) => {
    const { pointId, prm: subject, direction } = member
    const { from, to } = clip(span, member)
    const days = choose(planned, member, listDays(from, to), known)
    return cutDays(days).map((part) => ({ ...part, pointId, subject, direction }))
  })
  const left = await notInFlight(tx, companyId, 'load-curve', calls)
  if (!left.length) return
  await createTask(tx, {
    ...planned,
    kind: 'load-curve',
    trigger: later ? 'gap' : full ? 'weekly' : 'schedule',
    createdBy: null,
    from: left.map((call) => call.from).reduce((a, b) => (a < b ? a : b)),
    to: today,
    calls: left,
  })
}
