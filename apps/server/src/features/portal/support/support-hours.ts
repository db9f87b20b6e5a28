import { DEFAULT_HOURS, type SupportHours } from '@voisol/contract/support-agents'
import type { SupportTeam, TicketPriority } from '@voisol/contract/support-labels'
import { addDays, holidays } from '@voisol/energy/calendar'
import { computeEasterEpochDay } from '@voisol/energy/civil'
import { and, eq } from 'drizzle-orm'
import { loadSiteOwnerId } from '../../../core/site-owner.ts'
import type { Db } from '../../../db/client.ts'
import { supportHours } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { canManageInstallationSupport } from './ticket-queries.ts'

/** The company that answers what is asked of a desk. */
export const loadAnsweringCompanyId = async (
  db: Db,
  { companyId, desk }: { companyId: number; desk: SupportTeam },
): Promise<number> => (desk === 'organiser' ? companyId : loadSiteOwnerId(db))

async function loadHours(db: Db, companyId: number, desk: SupportTeam) {
  const [row] = await db
    .select()
    .from(supportHours)
    .where(and(eq(supportHours.companyId, companyId), eq(supportHours.desk, desk)))
  return { ...(row?.hours ?? DEFAULT_HOURS), version: row?.version ?? 0 }
}

/** When those who answer this ticket are open, and what they promise. */
export async function loadTicketHours(db: Db, ticket: { companyId: number; desk: SupportTeam }): Promise<SupportHours> {
  return loadHours(db, await loadAnsweringCompanyId(db, ticket), ticket.desk)
}

const requireDeskAccess = (actor: Actor, desk: SupportTeam) => {
  if (desk === 'keeper' && !canManageInstallationSupport(actor)) throw new AppError('not-found')
}

export function loadOwnSupportHours(db: Db, actor: Actor, desk: SupportTeam) {
  requireDeskAccess(actor, desk)
  return loadHours(db, actor.companyId, desk)
}

type SetSupportHoursInput = SupportHours & { desk: SupportTeam; version: number }

/** What was promised already stays promised: other hours count for what is opened, or moves, from now on. */
export async function setSupportHours(tx: Db, actor: Actor, { desk, version, ...hours }: SetSupportHoursInput) {
  requireDeskAccess(actor, desk)
  const { companyId } = actor
  const before = await loadHours(tx, companyId, desk)
  requireCurrentVersion(before, { ...hours, version })
  const value = { ...hours, days: [...new Set(hours.days)].sort() }
  await tx
    .insert(supportHours)
    .values({ companyId, desk, hours: value, version: 1 })
    .onConflictDoUpdate({
      target: [supportHours.companyId, supportHours.desk],
      set: { hours: value, version: version + 1 },
    })
  return { before, after: { ...value, version: version + 1 } }
}

/** How much of what was promised has run. */
export type TicketClock = {
  createdAt: Date
  firstMinutes: number
  solveMinutes: number
  firstDueAt: Date
  spentMinutes: number
  runningSince: Date | null
  solveDueAt: Date | null
}
type TicketDeadlines = Omit<TicketClock, 'createdAt'>

export function startTicketClock(at: Date, priority: TicketPriority, hours: SupportHours): TicketDeadlines {
  const { first, solve } = hours.promises[priority]
  return {
    firstMinutes: first,
    solveMinutes: solve,
    firstDueAt: addWorkingMinutes(at, first, hours),
    spentMinutes: 0,
    runningSince: at,
    solveDueAt: addWorkingMinutes(at, solve, hours),
  }
}

/** Minutes that ran until then. */
export const computeSpentMinutes = ({ spentMinutes, runningSince }: TicketClock, at: Date, hours: SupportHours) =>
  spentMinutes + (runningSince ? countWorkingMinutes(runningSince, at, hours) : 0)

/** While the asker is waited for, and once it is solved, nothing runs. */
export const pauseTicketClock = (clock: TicketClock, at: Date, hours: SupportHours) => ({
  spentMinutes: computeSpentMinutes(clock, at, hours),
  runningSince: null,
  solveDueAt: null,
})

/** From here on it runs with what is left; one that runs already goes on. */
export function resumeTicketClock(clock: TicketClock, at: Date, hours: SupportHours) {
  const { spentMinutes, runningSince, solveDueAt, solveMinutes } = clock
  if (runningSince) return { spentMinutes, runningSince, solveDueAt }
  return { spentMinutes, runningSince: at, solveDueAt: addWorkingMinutes(at, solveMinutes - spentMinutes, hours) }
}

/** Another priority promises something else, from the same beginning. */
export function recomputeDeadlines(clock: TicketClock, priority: TicketPriority, hours: SupportHours): TicketDeadlines {
  const { first, solve } = hours.promises[priority]
  const { createdAt, spentMinutes, runningSince } = clock
  return {
    firstMinutes: first,
    solveMinutes: solve,
    firstDueAt: addWorkingMinutes(createdAt, first, hours),
    spentMinutes,
    runningSince,
    solveDueAt: runningSince && addWorkingMinutes(runningSince, solve - spentMinutes, hours),
  }
}

/** When a desk is open: whole minutes since 1970, half-open. */
type OpenInterval = { from: number; to: number }
export type OpeningHours = Pick<SupportHours, 'days' | 'from' | 'to' | 'alsaceMoselle'>

const PARIS = 'Europe/Paris'
const MINUTE_MS = 60_000
/** A desk that opens one day a week, over the longest run of holidays, is open again long before. */
const MAX_DAYS = 4000

const toEpochMinute = (at: Date) => Math.floor(at.getTime() / MINUTE_MS)
const fromEpochMinute = (minute: number) => new Date(minute * MINUTE_MS)
const toParisTime = (minute: number) =>
  Temporal.Instant.fromEpochMilliseconds(minute * MINUTE_MS).toZonedDateTimeISO(PARIS)
/** A clock time of a day, as it is read on the wall: on a day that the clock changes, an hour earlier or later. */
const getWallClockMinute = (day: string, clock: string) =>
  Temporal.PlainDateTime.from(`${day}T${clock}`).toZonedDateTime(PARIS).toInstant().epochMilliseconds / MINUTE_MS

const EPOCH = Temporal.PlainDate.from('1970-01-01')
/** Good Friday and 26 December are holidays in Moselle, Bas-Rhin and Haut-Rhin. */
const isAlsaceMoselleHoliday = (day: string) =>
  day.slice(5) === '12-26' || day === EPOCH.add({ days: computeEasterEpochDay(Number(day.slice(0, 4))) - 2 }).toString()

export function isOpenDay(day: string, { days, alsaceMoselle }: OpeningHours): boolean {
  const { dayOfWeek, year } = Temporal.PlainDate.from(day)
  return days.includes(dayOfWeek) && !holidays(year).includes(day) && !(alsaceMoselle && isAlsaceMoselleHoliday(day))
}

function* generateOpenIntervals(minute: number, hours: OpeningHours): Generator<OpenInterval> {
  let day = toParisTime(minute).toPlainDate().toString()
  for (let count = 0; count < MAX_DAYS; count++, day = addDays(day, 1)) {
    if (!isOpenDay(day, hours)) continue
    const open = { from: Math.max(getWallClockMinute(day, hours.from), minute), to: getWallClockMinute(day, hours.to) }
    if (open.from < open.to) yield open
  }
}

/** Minutes of opening between two instants; none where the second comes first. */
export function countWorkingMinutes(from: Date, to: Date, hours: OpeningHours): number {
  const end = toEpochMinute(to)
  let sum = 0
  for (const open of generateOpenIntervals(toEpochMinute(from), hours)) {
    if (open.from >= end) break
    sum += Math.min(open.to, end) - open.from
  }
  return sum
}

/** When that many minutes of opening have passed. */
export function addWorkingMinutes(from: Date, minutes: number, hours: OpeningHours): Date {
  let left = Math.max(0, minutes)
  for (const open of generateOpenIntervals(toEpochMinute(from), hours)) {
    if (left <= open.to - open.from) return fromEpochMinute(open.from + left)
    left -= open.to - open.from
  }
  throw new Error('a desk that never opens promises nothing')
}
