import type { SyncKind } from '@voisol/contract/sync'
import { addDays, addMonths, daysBetween, monthOf } from '@voisol/energy/calendar'
import { and, asc, eq, gt, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { participations, pointLinks, points } from '../../../db/schema/index.ts'
import type { PointLink } from './blocked-points.ts'

export type SyncDayRange = { from: string; to: string }
export type SyncMember = {
  pointId: string
  prm: string
  direction: 'consumption' | 'production'
  startsOn: string
  endsOn: string | null
}
/** A call to make; `pointId` is null when it covers the whole operation. */
export type SyncCall = SyncDayRange & { pointId: string | null; subject: string; direction: string }

/** A fixed Monday, so that weeks start on the same days whatever range is requested. */
const FIRST_MONDAY = '2001-01-01'
const WEEK_DAYS = 7
const YEAR_DAYS = 365

const getEarlierDay = (a: string, b: string) => (a < b ? a : b)
const getLaterDay = (a: string, b: string) => (a > b ? a : b)
export const clipToMember = (
  span: SyncDayRange,
  { startsOn, endsOn }: Pick<SyncMember, 'startsOn' | 'endsOn'>,
): SyncDayRange => ({
  from: getLaterDay(span.from, startsOn),
  to: endsOn ? getEarlierDay(span.to, endsOn) : span.to,
})

/** Splits at boundaries that do not depend on the requested range. */
export function splitEvery(days: number, { from, to }: SyncDayRange): SyncDayRange[] {
  const spans: SyncDayRange[] = []
  for (let at = from; at < to; ) {
    const next = addDays(at, days - (((daysBetween(FIRST_MONDAY, at) % days) + days) % days))
    spans.push({ from: at, to: getEarlierDay(next, to) })
    at = next
  }
  return spans
}

export function splitRangeByMonth({ from, to }: SyncDayRange): SyncDayRange[] {
  const spans: SyncDayRange[] = []
  for (let at = from; at < to; at = addMonths(monthOf(at), 1))
    spans.push({ from: at, to: getEarlierDay(addMonths(monthOf(at), 1), to) })
  return spans
}

/** Whole past months in which the point took part on at least one day. */
const listWholeMonths = (span: SyncDayRange, member: SyncMember, today: string): SyncDayRange[] => {
  const months = splitRangeByMonth({ from: monthOf(span.from), to: span.to }).map(({ from }) => ({
    from,
    to: addMonths(from, 1),
  }))
  return months.filter((month) => {
    const { from, to } = clipToMember(month, member)
    return month.to <= today && from < to
  })
}

const SPLIT_BY_KIND: Record<
  Exclude<SyncKind, 'perimeter'>,
  (span: SyncDayRange, member: SyncMember, today: string) => SyncDayRange[]
> = {
  'load-curve': (span, member) => splitEvery(WEEK_DAYS, clipToMember(span, member)),
  'daily-energy': (span, member) => splitEvery(YEAR_DAYS, clipToMember(span, member)),
  'agreement-series': (span, member) => splitRangeByMonth(clipToMember(span, member)),
  definitive: listWholeMonths,
}

/** The calls for a request without duplicates: two participation periods of a point may fall into one month. */
export function buildSyncCalls(
  kind: SyncKind,
  span: SyncDayRange,
  members: SyncMember[],
  about: { acc: string; today: string },
): SyncCall[] {
  if (kind === 'perimeter') return [{ ...span, pointId: null, subject: about.acc, direction: '' }]
  const calls = new Map<string, SyncCall>()
  for (const member of members)
    for (const part of SPLIT_BY_KIND[kind](span, member, about.today)) {
      const { pointId, prm: subject, direction } = member
      calls.set(`${pointId} ${part.from} ${part.to}`, { ...part, pointId, subject, direction })
    }
  return [...calls.values()]
}

/** Groups sorted days into ranges that do not cross the end of a week. */
export function groupDaysByWeek(days: string[]): SyncDayRange[] {
  const spans: SyncDayRange[] = []
  for (const day of days.toSorted()) {
    const last = spans.at(-1)
    if (last?.to === day) last.to = addDays(day, 1)
    else spans.push({ from: day, to: addDays(day, 1) })
  }
  return spans.flatMap((span) => splitEvery(WEEK_DAYS, span))
}

export type LinkedMember = SyncMember & { link: PointLink | null }

/** The participation periods of an operation's points, limited to some days if given. */
export async function listSyncMembers(
  db: Db,
  about: { companyId: number; operationId: string; pointIds?: readonly string[]; span?: SyncDayRange },
): Promise<LinkedMember[]> {
  const { companyId, operationId, pointIds = [], span } = about
  const where: (SQL | undefined)[] = [
    eq(participations.companyId, companyId),
    eq(participations.operationId, operationId),
    pointIds.length ? inArray(participations.pointId, pointIds) : undefined,
    span && lt(participations.startsOn, span.to),
    span && or(isNull(participations.endsOn), gt(participations.endsOn, span.from)),
  ]
  const rows = await db
    .select({
      pointId: points.id,
      prm: points.prm,
      direction: sql<SyncMember['direction']>`${points.direction}`,
      startsOn: participations.startsOn,
      endsOn: participations.endsOn,
      link: pointLinks,
    })
    .from(participations)
    .innerJoin(points, and(eq(points.companyId, participations.companyId), eq(points.id, participations.pointId)))
    .leftJoin(pointLinks, and(eq(pointLinks.companyId, points.companyId), eq(pointLinks.pointId, points.id)))
    .where(and(...where))
    .orderBy(asc(points.prm), asc(points.direction), asc(participations.startsOn))
  return rows.map((row) => ({ ...row, link: row.link as PointLink | null })) // the fault was written by block.ts
}
