import { addDays, addMonths, daysBetween } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { fieldError } from '../../../http/errors.ts'
import { type ParticipationGroup, toSqlArray } from './member-scope.ts'

export type Period = { from: string; to: string }

const FIRST_ALLOWED_DAY = '2000-01-01'
const LAST_ALLOWED_DAY = '2100-01-01'
/** Ten years: the longest period of any figure. */
const MAX_PERIOD_DAYS = 3660

export function requirePeriod(
  { from, to }: Period,
  maxDays = MAX_PERIOD_DAYS,
  names = { from: 'from', to: 'to' },
): Period {
  if (from < FIRST_ALLOWED_DAY || from >= LAST_ALLOWED_DAY)
    throw fieldError(names.from, 'Le premier jour doit se situer entre 2000 et 2099.')
  if (to <= from) throw fieldError(names.to, 'La fin de la période doit venir après son début.')
  const days = to > LAST_ALLOWED_DAY ? Number.POSITIVE_INFINITY : daysBetween(from, to)
  if (days > maxDays)
    throw fieldError(
      names.to,
      `La période est trop longue\u00a0: au plus ${maxDays} jours sont lus à la fois à ce pas.`,
    )
  return { from, to }
}

const isFirstOfMonth = (day: string) => day.endsWith('-01')
/** The number of whole calendar months; zero for other periods. */
const countWholeMonths = ({ from, to }: Period) => {
  if (!isFirstOfMonth(from) || !isFirstOfMonth(to)) return 0
  const number = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
  return number(to) - number(from)
}

/** The period of the same length just before; calendar months are compared with calendar months. */
export function getPreviousPeriod(period: Period): Period {
  const months = countWholeMonths(period)
  const from = months ? addMonths(period.from, -months) : addDays(period.from, -daysBetween(period.from, period.to))
  return { from, to: period.from }
}

/** The same dates a year before; 28 February replaces 29 February. */
export function getPeriodLastYear(period: Period): Period {
  const from = addMonths(period.from, -12)
  const to = addMonths(period.to, -12)
  return { from, to: to > from ? to : addDays(from, 1) }
}

/** The days of one member, or of `count` similar ones; `group` tells with whom they are summed. */
export type MemberPeriod = {
  pointId: string
  operationId: string
  lo: string
  hi: string
  group: number
  count?: number
}
/** Days of an operation with one run in force. */
export type RunInForce = Period & {
  operationId: string
  runId: string
  runFrom: string
  runTo: string
  definitive: boolean
  stale: boolean
  estimated: boolean
  estimateBy: 'own' | 'profile'
  startedAt: Date | null
}
/** Days of a member under one run. */
export type MemberRunPeriod = MemberPeriod & { runId: string; runFrom: string; runTo: string }

export const maxDay = (a: string, b: string) => (a > b ? a : b)
export const minDay = (a: string, b: string) => (a < b ? a : b)

export function buildMemberPeriods<M extends ParticipationGroup>(
  members: M[],
  { from, to }: Period,
  groupOf: (member: M, at: number) => number,
): MemberPeriod[] {
  return members.flatMap((member, at) => {
    const lo = maxDay(member.startsOn, from)
    const hi = minDay(member.endsOn ?? to, to)
    if (lo >= hi) return []
    const { pointId, operationId, count } = member
    return [{ pointId, operationId, lo, hi, group: groupOf(member, at), ...(count !== undefined && { count }) }]
  })
}

export const listOperationIds = (rows: { operationId: string }[]) => [...new Set(rows.map((row) => row.operationId))]
/** Rows by operation, grouped once instead of filtered for each of hundreds. */
export const groupByOperation = <T extends { operationId: string }>(rows: T[]) =>
  Map.groupBy(rows, (row) => row.operationId)

type RunInForceRow = Omit<RunInForce, 'startedAt'> & { nth: number; startedAt: string | null }

/** The runs in force over each period, as ranges of days. */
export async function listRunsInForceByPeriod(
  db: Db,
  companyId: number,
  operationIds: string[],
  periods: Period[],
  only: 'all' | 'stale' = 'all',
): Promise<RunInForce[][]> {
  if (!operationIds.length) return periods.map(() => [])
  // Few runs are outdated: only their days are read, not all of the company's.
  const ofStale = sql`and exists (select 1 from allocation_runs s
    where s.company_id = ${companyId} and s.id = run_id and s.stale_at is not null)`
  const bounds = (name: keyof Period) => sql`${toSqlArray(periods.map((period) => period[name]))}::date[]`
  // A run nearly always has one range: ranges are only computed when days are missing in it.
  const { rows } = await db.execute<RunInForceRow>(sql`
    with own as (
      select p.nth::int as nth, operation_id, run_id, min(day) as lo, max(day) + 1 as hi, count(*) as days
        from unnest(${bounds('from')}, ${bounds('to')}) with ordinality p(lo, hi, nth)
        join allocation_coverage on company_id = ${companyId} and day >= p.lo and day < p.hi
         and operation_id = any(${toSqlArray(operationIds)}::uuid[]) ${only === 'stale' ? ofStale : sql``}
       group by 1, 2, 3),
    stretches as (
      select nth, operation_id, run_id, lo, hi from own where hi - lo = days
       union all
      select nth, operation_id, run_id, min(day), max(day) + 1
        from (select o.nth, o.operation_id, o.run_id, c.day,
                     c.day - row_number() over (partition by o.nth, o.operation_id, o.run_id order by c.day)::int as island
                from own o join allocation_coverage c on c.company_id = ${companyId} and c.operation_id = o.operation_id
                 and c.run_id = o.run_id and c.day >= o.lo and c.day < o.hi
               where o.hi - o.lo <> o.days) i
       group by nth, operation_id, run_id, island)
    select s.nth, s.operation_id as "operationId", s.run_id as "runId", s.lo::text as "from", s.hi::text as "to",
           r.starts_on::text as "runFrom", r.ends_on::text as "runTo", r.kind = 'definitive' as definitive,
           r.stale_at is not null as stale, r.estimated, r.estimate_by as "estimateBy", r.started_at as "startedAt"
      from stretches s join allocation_runs r on r.company_id = ${companyId} and r.id = s.run_id
     order by s.operation_id, s.lo`)
  return periods.map((_, at) =>
    rows
      .filter(({ nth }) => nth === at + 1)
      .map(({ nth, ...row }) => ({ ...row, startedAt: row.startedAt === null ? null : new Date(row.startedAt) })),
  )
}

export const listRunsInForce = async (
  db: Db,
  companyId: number,
  operationIds: string[],
  period: Period,
): Promise<RunInForce[]> => (await listRunsInForceByPeriod(db, companyId, operationIds, [period])).flat()

export function splitByRun(memberPeriods: MemberPeriod[], runsInForce: RunInForce[]): MemberRunPeriod[] {
  const runs = groupByOperation(runsInForce)
  return memberPeriods.flatMap((piece) =>
    (runs.get(piece.operationId) ?? []).flatMap(({ from, to, runId, runFrom, runTo }) => {
      const lo = maxDay(piece.lo, from)
      const hi = minDay(piece.hi, to)
      return lo < hi ? [{ ...piece, lo, hi, runId, runFrom, runTo }] : []
    }),
  )
}

const nextMonthCache = new Map<string, string>()
/** Cached, since all periods ask for the same few months. */
function getNextMonth(month: string): string {
  const known = nextMonthCache.get(month) ?? addMonths(month, 1)
  nextMonthCache.set(month, known)
  return known
}

/** The whole months in a member's period, adjacent ones merged, and the days around them. */
export function splitWholeMonths<P extends MemberPeriod>(
  memberPeriod: P,
  whole: Period | null,
): { months: P[]; days: P[] } {
  const months: P[] = []
  const days: P[] = []
  for (let month = `${memberPeriod.lo.slice(0, 7)}-01`; month < memberPeriod.hi; month = getNextMonth(month)) {
    const next = getNextMonth(month)
    const part = { ...memberPeriod, lo: maxDay(memberPeriod.lo, month), hi: minDay(memberPeriod.hi, next) }
    const first = whole ? maxDay(whole.from, month) : month
    const last = whole ? minDay(whole.to, next) : next
    if (part.lo > first || part.hi < last) {
      days.push(part)
      continue
    }
    const before = months.at(-1)
    if (before?.hi === month) before.hi = next
    else months.push({ ...part, lo: month, hi: next })
  }
  return { months, days }
}
