import type { CopySchedule } from '@voisol/contract/backups'
import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { copySchedule } from '../../../db/schema/index.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'

const PARIS = 'Europe/Paris'
const DEFAULT_SCHEDULE: CopySchedule = {
  enabled: true,
  hour: 2,
  drillDay: 7,
  days: 14,
  weeks: 8,
  months: 12,
  version: 1,
}

export async function loadCopySchedule(db: Db): Promise<CopySchedule> {
  const [row] = await db.select().from(copySchedule)
  if (!row) return DEFAULT_SCHEDULE
  const { id: _, ...schedule } = row
  return schedule
}

export async function saveCopySchedule(tx: Db, input: CopySchedule) {
  await tx.insert(copySchedule).values({ id: 1 }).onConflictDoNothing()
  const [row] = await tx.select().from(copySchedule).for('update')
  const before = await loadCopySchedule(tx)
  requireCurrentVersion(before, input)
  const after = { ...input, version: input.version + 1 }
  await tx
    .update(copySchedule)
    .set(after)
    .where(eq(copySchedule.id, row?.id ?? 1))
  return { before, after }
}

type ScheduledTime = { hour: number; weekday?: number }
const toParisDateTime = (now: Date) => Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(PARIS)
const atHour = (day: Temporal.ZonedDateTime, { hour }: ScheduledTime) => day.startOfDay().with({ hour })

/** The latest moment of the schedule that has come, on the clock of Paris. */
function getLatestOccurrence(now: Date, when: ScheduledTime): Temporal.ZonedDateTime {
  let day = toParisDateTime(now)
  while (
    Temporal.ZonedDateTime.compare(atHour(day, when), toParisDateTime(now)) > 0 ||
    (when.weekday && day.dayOfWeek !== when.weekday)
  )
    day = day.subtract({ days: 1 })
  return atHour(day, when)
}
function getNextOccurrence(now: Date, when: ScheduledTime): Date {
  let day = toParisDateTime(now)
  while (
    Temporal.ZonedDateTime.compare(atHour(day, when), toParisDateTime(now)) <= 0 ||
    (when.weekday && day.dayOfWeek !== when.weekday)
  )
    day = day.add({ days: 1 })
  return new Date(atHour(day, when).epochMilliseconds)
}

/** A drill takes what the copy of the same night has made. */
const getRestoreTestTime = ({ hour, drillDay }: CopySchedule): ScheduledTime => ({
  hour: Math.min(23, hour + 1),
  weekday: drillDay,
})

export const getNextCopyDate = (schedule: CopySchedule, now: Date) =>
  schedule.enabled ? getNextOccurrence(now, schedule) : null
export const getNextRestoreTestDate = (schedule: CopySchedule, now: Date) =>
  schedule.enabled ? getNextOccurrence(now, getRestoreTestTime(schedule)) : null

/** Whether none has begun since the last moment that was set for it: a night without a server is made up for. */
const isDue = (last: Date | undefined, now: Date, when: ScheduledTime) =>
  !last || last.getTime() < getLatestOccurrence(now, when).epochMilliseconds
/** How often the copy of one night is begun, an hour apart: what failed for a moment is mended by then. */
const MAX_COPY_ATTEMPTS = 4
type CopyAttempt = { startedAt: Date; state: string; copy: string }
/** Whether every copy begun since its hour failed and made none, and it may be tried again that night. */
export function isCopyRetryDue(schedule: CopySchedule, runs: CopyAttempt[], now: Date): boolean {
  const from = getLatestOccurrence(now, schedule).epochMilliseconds
  const tonight = runs.filter(({ startedAt }) => startedAt.getTime() >= from)
  const failed = tonight.length > 0 && tonight.every(({ state, copy }) => state === 'failed' && !copy)
  return schedule.enabled && failed && tonight.length < MAX_COPY_ATTEMPTS
}
export const isCopyDue = (schedule: CopySchedule, last: Date | undefined, now: Date) =>
  schedule.enabled && isDue(last, now, schedule)
export const isRestoreTestDue = (schedule: CopySchedule, last: Date | undefined, now: Date) =>
  schedule.enabled && isDue(last, now, getRestoreTestTime(schedule))

export type KeepReason = 'day' | 'week' | 'month'
export type Retention = { days: number; weeks: number; months: number }

const toParisDate = (madeAt: string) => Temporal.Instant.from(madeAt).toZonedDateTimeISO(PARIS).toPlainDate()

/** The day, week (from Monday) and month that a copy is of, on the clock of Paris. */
const PERIODS: Record<KeepReason, (date: Temporal.PlainDate) => string> = {
  day: (date) => date.toString(),
  week: (date) => date.subtract({ days: date.dayOfWeek - 1 }).toString(),
  month: (date) => date.toPlainYearMonth().toString(),
}

/**
 * Why each copy is kept: the last one of each of the latest days, weeks and months that have any. Counted in copies and not
 * in time gone by, so that an installation that was off for a month does not lose what it has. The newest always stays.
 */
export function computeKeepReasons(
  copies: { name: string; madeAt: string }[],
  retention: Retention,
): Map<string, KeepReason[]> {
  const newest = [...copies].sort((a, b) => (a.madeAt < b.madeAt ? 1 : -1))
  const reasonsByName = new Map<string, KeepReason[]>(newest.map(({ name }) => [name, []]))
  const counts = { day: Math.max(1, retention.days), week: retention.weeks, month: retention.months }
  for (const reason of ['day', 'week', 'month'] as const) {
    const seen = new Set<string>()
    for (const { name, madeAt } of newest) {
      const period = PERIODS[reason](toParisDate(madeAt))
      if (seen.has(period) || seen.size >= counts[reason]) continue
      seen.add(period)
      reasonsByName.get(name)?.push(reason)
    }
  }
  return reasonsByName
}

type CopySummary = { name: string; madeAt: string; files?: { missing: string[] } }

/**
 * Names of the copies to delete: those that no retention rule keeps. The newest complete copy is never deleted, however many
 * incomplete ones were made after it.
 */
export function listCopiesToDelete(copies: CopySummary[], retention: Retention): string[] {
  const complete = copies.filter(({ files }) => !files?.missing.length)
  const newest = complete.reduce<CopySummary | undefined>((a, b) => (a && a.madeAt > b.madeAt ? a : b), undefined)
  return [...computeKeepReasons(copies, retention)]
    .filter(([name, reasons]) => reasons.length === 0 && name !== newest?.name)
    .map(([name]) => name)
}

/** What daily copies would leave in the long run, newest first; at most ten years of months are kept. */
export function simulateRetention(retention: Retention, today: string) {
  const span = Math.max(retention.days, retention.weeks * 7, retention.months * 31) + 31
  const from = Temporal.PlainDate.from(today)
  const daily = Array.from({ length: span }, (_, ago) => {
    const day = from.subtract({ days: ago }).toString()
    return { name: day, madeAt: `${day}T01:17:00Z` }
  })
  return [...computeKeepReasons(daily, retention)]
    .filter(([, reasons]) => reasons.length)
    .map(([day, reasons]) => ({ day, keptFor: reasons }))
}
