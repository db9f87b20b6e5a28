import type { CopySchedule } from '@voisol/contract/backups'
import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { copySchedule } from '../../../db/schema/index.ts'
import { requireVersion } from '../../../http/record-version.ts'

const PARIS = 'Europe/Paris'
const USUAL: CopySchedule = { enabled: true, hour: 2, drillDay: 7, days: 14, weeks: 8, months: 12, version: 1 }

export async function readSchedule(db: Db): Promise<CopySchedule> {
  const [row] = await db.select().from(copySchedule)
  if (!row) return USUAL
  const { id: _, ...schedule } = row
  return schedule
}

export async function saveSchedule(tx: Db, input: CopySchedule) {
  await tx.insert(copySchedule).values({ id: 1 }).onConflictDoNothing()
  const [row] = await tx.select().from(copySchedule).for('update')
  const before = await readSchedule(tx)
  requireVersion(before, input)
  const after = { ...input, version: input.version + 1 }
  await tx
    .update(copySchedule)
    .set(after)
    .where(eq(copySchedule.id, row?.id ?? 1))
  return { before, after }
}

type At = { hour: number; weekday?: number }
const wallOf = (now: Date) => Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(PARIS)
const at = (day: Temporal.ZonedDateTime, { hour }: At) => day.startOfDay().with({ hour })

/** The latest moment of the schedule that has come, on the clock of Paris. */
function latest(now: Date, when: At): Temporal.ZonedDateTime {
  let day = wallOf(now)
  while (
    Temporal.ZonedDateTime.compare(at(day, when), wallOf(now)) > 0 ||
    (when.weekday && day.dayOfWeek !== when.weekday)
  )
    day = day.subtract({ days: 1 })
  return at(day, when)
}
function coming(now: Date, when: At): Date {
  let day = wallOf(now)
  while (
    Temporal.ZonedDateTime.compare(at(day, when), wallOf(now)) <= 0 ||
    (when.weekday && day.dayOfWeek !== when.weekday)
  )
    day = day.add({ days: 1 })
  return new Date(at(day, when).epochMilliseconds)
}

/** A drill takes what the copy of the same night has made. */
const drillAt = ({ hour, drillDay }: CopySchedule): At => ({ hour: Math.min(23, hour + 1), weekday: drillDay })

export const nextCopy = (schedule: CopySchedule, now: Date) => (schedule.enabled ? coming(now, schedule) : null)
export const nextDrill = (schedule: CopySchedule, now: Date) =>
  schedule.enabled ? coming(now, drillAt(schedule)) : null

/** Whether none has begun since the last moment that was set for it: a night without a server is made up for. */
export const isDue = (last: Date | undefined, now: Date, when: At) =>
  !last || last.getTime() < latest(now, when).epochMilliseconds
/** How often the copy of one night is begun, an hour apart: what failed for a moment is mended by then. */
const MAX_COPY_ATTEMPTS = 4
type CopyAttempt = { startedAt: Date; state: string; copy: string }
/** Whether every copy begun since its hour failed and made none, and it may be tried again that night. */
export function copyRetryDue(schedule: CopySchedule, runs: CopyAttempt[], now: Date): boolean {
  const from = latest(now, schedule).epochMilliseconds
  const tonight = runs.filter(({ startedAt }) => startedAt.getTime() >= from)
  const failed = tonight.length > 0 && tonight.every(({ state, copy }) => state === 'failed' && !copy)
  return schedule.enabled && failed && tonight.length < MAX_COPY_ATTEMPTS
}
export const copyDue = (schedule: CopySchedule, last: Date | undefined, now: Date) =>
  schedule.enabled && isDue(last, now, schedule)
export const drillDue = (schedule: CopySchedule, last: Date | undefined, now: Date) =>
  schedule.enabled && isDue(last, now, drillAt(schedule))
