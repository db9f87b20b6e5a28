import type { MonthFigures } from '@voisol/contract/support-desk'
import type { Desk } from '@voisol/contract/support-words'
import { and, eq, gte, isNull, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { tickets } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { dayOf, today } from '../../../today.ts'
import { ownHours } from './hours.ts'
import { isLate, OVER } from './queue.ts'
import { deskScope, keeps } from './scope.ts'
import type { TicketRecord } from './view.ts'
import { workingMinutes } from './working-hours.ts'

type Measured = Pick<
  TicketRecord,
  'createdAt' | 'firstAnswerAt' | 'firstDueAt' | 'solvedAt' | 'spentMinutes' | 'solveMinutes' | 'score' | 'scoredAt'
> & { merged: boolean }
type Hours = Parameters<typeof workingMinutes>[2]

const PARIS = 'Europe/Paris'
export const monthOf = (at: Date) => dayOf(at).slice(0, 7)

/** The middle one; of two in the middle the lower: a figure that somebody really waited. */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null
}

/** The months in their order, also those in which nothing was asked. */
export function monthsUntil(day: string, count: number): string[] {
  const last = Temporal.PlainYearMonth.from(day.slice(0, 7))
  return Array.from({ length: count }, (_, at) => last.subtract({ months: count - 1 - at }).toString())
}

/** A promise counts in the month it was settled in: the first answer when it was given, the rest when it was solved. */
export function figuresOf(month: string, all: readonly Measured[], hours: Hours): MonthFigures {
  const counted = all.filter(({ merged }) => !merged)
  const answered = counted.filter((one) => one.firstAnswerAt && monthOf(one.firstAnswerAt) === month)
  const solved = counted.filter((one) => one.solvedAt && monthOf(one.solvedAt) === month)
  const rated = counted.filter((one) => one.scoredAt && monthOf(one.scoredAt) === month)
  const first = answered.map((one) => workingMinutes(one.createdAt, one.firstAnswerAt ?? one.createdAt, hours))
  const inTime = answered.filter((one) => one.firstAnswerAt && one.firstAnswerAt <= one.firstDueAt).length
  const asPromised = solved.filter((one) => one.spentMinutes <= one.solveMinutes).length
  return {
    month,
    opened: all.filter(({ createdAt }) => monthOf(createdAt) === month).length,
    solved: solved.length,
    firstAnswer: median(first),
    solving: median(solved.map(({ spentMinutes }) => spentMinutes)),
    promise: { kept: inTime + asPromised, of: answered.length + solved.length },
    score: { sum: rated.reduce((sum, { score }) => sum + (score ?? 0), 0), of: rated.length },
  }
}

const counted = async (db: Db, where: SQL | undefined) => {
  const [row] = await db.select({ n: sql<number>`count(*)::int` }).from(tickets).where(where)
  return row?.n ?? 0
}

export async function readFigures(db: Db, actor: Actor, { desk, months }: { desk: Desk; months: number }) {
  if (desk === 'keeper' && !keeps(actor)) throw new AppError('not-found')
  const all = monthsUntil(today(), months)
  const since = Temporal.PlainDate.from(`${all[0]}-01`).toZonedDateTime(PARIS).toInstant().epochMilliseconds
  const mine = and(deskScope(actor), eq(tickets.desk, desk))
  const from = new Date(since)
  const rows = await db
    .select()
    .from(tickets)
    .where(and(mine, or(gte(tickets.createdAt, from), gte(tickets.solvedAt, from), gte(tickets.scoredAt, from))))
  const hours = await ownHours(db, actor, desk)
  const measured = rows.map((row) => ({ ...row, merged: row.mergedInto !== null }))
  const open = and(mine, notInArray(tickets.state, OVER))
  return {
    items: all.map((month) => figuresOf(month, measured, hours)),
    open: await counted(db, open),
    late: await counted(db, and(mine, isLate)),
    unassigned: await counted(db, and(open, isNull(tickets.assigneeId))),
  }
}
