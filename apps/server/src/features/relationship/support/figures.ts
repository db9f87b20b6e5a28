import type { SupportMonthFigures } from '@voisol/contract/support-desk'
import type { SupportTeam } from '@voisol/contract/support-words'
import { and, eq, gte, isNull, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { tickets } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday, toParisDay } from '../../../today.ts'
import { loadOwnSupportHours } from './hours.ts'
import { FINISHED_TICKET_STATES, isLateTicket } from './queue.ts'
import { canManageInstallationSupport, deskScope } from './scope.ts'
import type { TicketRecord } from './view.ts'
import { countWorkingMinutes } from './working-hours.ts'

type MeasuredTicket = Pick<
  TicketRecord,
  'createdAt' | 'firstAnswerAt' | 'firstDueAt' | 'solvedAt' | 'spentMinutes' | 'solveMinutes' | 'score' | 'scoredAt'
> & { merged: boolean }
type WorkingHours = Parameters<typeof countWorkingMinutes>[2]

const PARIS = 'Europe/Paris'
export const getTicketMonth = (at: Date) => toParisDay(at).slice(0, 7)

/** The middle one; of two in the middle the lower: a figure that somebody really waited. */
export function computeLowerMedian(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null
}

/** The months in their order, also those in which nothing was asked. */
export function listMonthsUntil(day: string, count: number): string[] {
  const last = Temporal.PlainYearMonth.from(day.slice(0, 7))
  return Array.from({ length: count }, (_, at) => last.subtract({ months: count - 1 - at }).toString())
}

/** A promise counts in the month it was settled in: the first answer when it was given, the rest when it was solved. */
export function computeMonthFigures(
  month: string,
  all: readonly MeasuredTicket[],
  hours: WorkingHours,
): SupportMonthFigures {
  const unmerged = all.filter(({ merged }) => !merged)
  const answered = unmerged.filter((one) => one.firstAnswerAt && getTicketMonth(one.firstAnswerAt) === month)
  const solved = unmerged.filter((one) => one.solvedAt && getTicketMonth(one.solvedAt) === month)
  const rated = unmerged.filter((one) => one.scoredAt && getTicketMonth(one.scoredAt) === month)
  const first = answered.map((one) => countWorkingMinutes(one.createdAt, one.firstAnswerAt ?? one.createdAt, hours))
  const inTime = answered.filter((one) => one.firstAnswerAt && one.firstAnswerAt <= one.firstDueAt).length
  const asPromised = solved.filter((one) => one.spentMinutes <= one.solveMinutes).length
  return {
    month,
    opened: all.filter(({ createdAt }) => getTicketMonth(createdAt) === month).length,
    solved: solved.length,
    firstAnswer: computeLowerMedian(first),
    solving: computeLowerMedian(solved.map(({ spentMinutes }) => spentMinutes)),
    promise: { kept: inTime + asPromised, of: answered.length + solved.length },
    score: { sum: rated.reduce((sum, { score }) => sum + (score ?? 0), 0), of: rated.length },
  }
}

const countTickets = async (db: Db, where: SQL | undefined) => {
  const [row] = await db.select({ n: sql<number>`count(*)::int` }).from(tickets).where(where)
  return row?.n ?? 0
}

export async function loadSupportFigures(
  db: Db,
  actor: Actor,
  { desk, months }: { desk: SupportTeam; months: number },
) {
  if (desk === 'keeper' && !canManageInstallationSupport(actor)) throw new AppError('not-found')
  const all = listMonthsUntil(getToday(), months)
  const since = Temporal.PlainDate.from(`${all[0]}-01`).toZonedDateTime(PARIS).toInstant().epochMilliseconds
  const mine = and(deskScope(actor), eq(tickets.desk, desk))
  const from = new Date(since)
  const rows = await db
    .select()
    .from(tickets)
    .where(and(mine, or(gte(tickets.createdAt, from), gte(tickets.solvedAt, from), gte(tickets.scoredAt, from))))
  const hours = await loadOwnSupportHours(db, actor, desk)
  const measured = rows.map((row) => ({ ...row, merged: row.mergedInto !== null }))
  const open = and(mine, notInArray(tickets.state, FINISHED_TICKET_STATES))
  return {
    items: all.map((month) => computeMonthFigures(month, measured, hours)),
    open: await countTickets(db, open),
    late: await countTickets(db, and(mine, isLateTicket)),
    unassigned: await countTickets(db, and(open, isNull(tickets.assigneeId))),
  }
}
