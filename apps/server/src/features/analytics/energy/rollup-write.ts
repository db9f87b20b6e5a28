import { addMonths, dayStart, listDays, monthOf } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { listStaleRollups } from '../../../core/stale-rollups.ts'
import { RETURNING_ONE } from '../../../db/citus.ts'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { addMemberSteps, createStepFrame, getCommonStep, SIDE_NAMES } from './energy-columns.ts'
import {
  type AllocationSum,
  addAllocationSum,
  addReadingSum,
  type GroupedSums,
  loadAllocationSumsOfRuns,
  loadReadingSums,
  type ReadingSum,
} from './energy-sums.ts'
import { getSideIndex, listMembersOfOperations, type Member, toSqlArray } from './member-scope.ts'
import { packParticipationDays, writeParticipationRollups } from './participation-rollups.ts'
import { buildMemberPeriods, listRunsInForce, maxDay, minDay, type Period, splitByRun } from './periods.ts'
import { addToGroupedSums } from './rollup-read.ts'
import { packSteps, writeHourRollups } from './step-rollups.ts'

const ROLLUP_LOCK = 0x73756d73
/** Locked so that of two concurrent updates the slower one cannot write older figures. */
const lockRollups = (tx: Db, companyId: number) =>
  tx.execute(sql`select pg_advisory_xact_lock(${ROLLUP_LOCK}, ${companyId})`)

type OperationRange = Period & { operationId: string }

/** Recomputes everything marked, one month of an operation at a time, so that it can stop and resume at any moment. */
export async function refreshRollups(db: Db, companyId: number, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const parts = await transaction(db, (tx) => splitStaleMarksByMonth(tx, companyId))
    if (!parts.length) return
    for (const part of parts) {
      signal?.throwIfAborted()
      await transaction(db, (tx) => recomputeRollups(tx, companyId, part))
    }
  }
}

/** Replaces the marks by one per month and operation. */
async function splitStaleMarksByMonth(tx: Db, companyId: number): Promise<OperationRange[]> {
  await lockRollups(tx, companyId)
  const { rows } = await tx.execute<{ id: string }>(sql`select id from sum_marks where company_id = ${companyId}`)
  if (!rows.length) return []
  const operationRanges: OperationRange[] = []
  for (const [operationId, spans] of await listStaleRollups(tx, companyId)) {
    const known = await loadKnownRange(tx, companyId, operationId)
    if (known)
      for (const span of spans)
        operationRanges.push(
          ...splitByMonth(maxDay(span.from, known.from), minDay(span.to, known.to)).map((m) => ({ operationId, ...m })),
        )
  }
  await tx.execute(sql`delete from sum_marks where company_id = ${companyId}
    and id = any(${sql.param(rows.map(({ id }) => id))}::uuid[])`)
  for (const { operationId, from, to } of operationRanges)
    await tx.execute(sql`insert into sum_marks (company_id, operation_ids, starts_on, ends_on)
      values (${companyId}, array[${operationId}::uuid], ${from}, ${to})`)
  return operationRanges
}

function splitByMonth(from: string, to: string): Period[] {
  const periods: Period[] = []
  for (let month = monthOf(from); month < to; month = addMonths(month, 1))
    periods.push({ from: maxDay(month, from), to: minDay(addMonths(month, 1), to) })
  return periods
}

/** From the first to the last day with readings, allocated energy or rollups. */
async function loadKnownRange(tx: Db, companyId: number, operationId: string): Promise<Period | null> {
  const { rows } = await tx.execute<{ from: string | null; to: string | null }>(sql`
    select min(day)::text as "from", (max(day) + 1)::text as "to" from (
      select d.day from participations p cross join lateral (
        (select day from curve_days where company_id = ${companyId} and point_id = p.point_id and day >= p.starts_on
            and superseded_at is null order by day limit 1) union all
        (select day from curve_days where company_id = ${companyId} and point_id = p.point_id
            and day < coalesce(p.ends_on, 'infinity') and superseded_at is null order by day desc limit 1)) d
       where p.company_id = ${companyId} and p.operation_id = ${operationId}
      union all select day from allocation_coverage where company_id = ${companyId} and operation_id = ${operationId}
      union all select day from operation_days where company_id = ${companyId} and operation_id = ${operationId}) known`)
  const { from, to } = rows[0] ?? {}
  return from && to ? { from, to } : null
}

/** Deletes the marks first: one added meanwhile remains, and has the days summed again. */
async function recomputeRollups(tx: Db, companyId: number, { operationId, from, to }: OperationRange): Promise<void> {
  await lockRollups(tx, companyId)
  await tx.execute(sql`delete from sum_marks where company_id = ${companyId} and starts_on >= ${from} and ends_on <= ${to}
    and operation_ids = array[${operationId}::uuid] and point_ids = '{}'`)
  const period = { from, to }
  const members = await listMembersOfOperations(tx, companyId, [operationId])
  const memberPeriods = buildMemberPeriods(members, period, (_, at) => at)
  const runsInForce = await listRunsInForce(tx, companyId, [operationId], period)
  const runPeriods = splitByRun(memberPeriods, runsInForce)
  const read = await loadReadingSums(tx, companyId, memberPeriods, 'day')
  const run = await loadAllocationSumsOfRuns(tx, companyId, runPeriods, 'day')
  const own = { companyId, operationId, ...period }
  const ids = members.map(({ id }) => id)
  await writeParticipationRollups(tx, own, monthOf(from), packParticipationDays(ids, read, run))
  await writeDayRollups(
    tx,
    own,
    toRollupDays(sumBySide(members, read, addReadingSum), sumBySide(members, run, addAllocationSum)),
  )
  await writeMonthRollup(tx, own, monthOf(from))
  await writeStepRollups(tx, own, await computeStepRollups(tx, own, members))
  await writeHourRollups(tx, own, monthOf(from), getCommonStep(members))
}

/** Adds up the members' sums by side. */
function sumBySide<T extends object>(
  members: Member[],
  sums: GroupedSums<T>,
  add: (sum: T, more: T) => void,
): GroupedSums<T> {
  const sides: GroupedSums<T> = new Map()
  for (const [at, days] of sums) {
    const member = members[at]
    if (member)
      for (const [bucket, sum] of days) addToGroupedSums(sides, { group: getSideIndex(member), bucket }, sum, add)
  }
  return sides
}

type RollupDay = ReadingSum & AllocationSum & { day: string; side: number }

const NO_READINGS = { energy: 0, present: 0, expected: 0, days: 0, holes: false, quality: 0, estimated: 0, seen: 0 }
const NO_ALLOCATION = { total: 0, local: 0, excluded: 0, steps: 0, given: 0 }

function toRollupDays(read: GroupedSums<ReadingSum>, run: GroupedSums<AllocationSum>): RollupDay[] {
  return SIDE_NAMES.flatMap((_, side) => {
    const days = new Set([...(read.get(side)?.keys() ?? []), ...(run.get(side)?.keys() ?? [])])
    return [...days].map((day) => ({
      ...(read.get(side)?.get(day) ?? NO_READINGS),
      ...(run.get(side)?.get(day) ?? NO_ALLOCATION),
      day,
      side,
    }))
  })
}

type RollupStepDay = { day: string; step: number; packed: Buffer }

async function computeStepRollups(
  tx: Db,
  { companyId, from, to }: OperationRange & { companyId: number },
  members: Member[],
) {
  const period = { from, to }
  const step = getCommonStep(members)
  const frame = createStepFrame(members, period, step, step)
  await addMemberSteps(tx, companyId, members, period, frame, (pieces) => pieces)
  const origin = dayStart(from)
  const at = (day: string) => (dayStart(day) - origin) / step
  const days = [...listDays(from, to), to]
  return days.slice(0, -1).flatMap((day, n): RollupStepDay[] => {
    const packed = packSteps(frame.columns, at(day), at(days[n + 1] ?? to))
    return packed ? [{ day, step, packed }] : []
  })
}

type OperationPeriod = Period & { companyId: number; operationId: string }

const ROLLUP_COLUMNS = sql`energy, present, expected, days, holes, quality, estimated, total, local, excluded, steps, seen, given`

async function writeDayRollups(
  tx: Db,
  { companyId, operationId, from, to }: OperationPeriod,
  rows: RollupDay[],
): Promise<void> {
  await tx.execute(sql`delete from operation_days where company_id = ${companyId} and operation_id = ${operationId}
    and day >= ${from} and day < ${to}`)
  if (!rows.length) return
  const numbers = (value: (row: RollupDay) => number) => sql`${toSqlArray(rows.map(value))}`
  await tx.execute(sql`
    insert into operation_days (company_id, operation_id, day, side, ${ROLLUP_COLUMNS})
    select ${companyId}, ${operationId}, * from unnest(
      ${toSqlArray(rows.map(({ day }) => day))}::date[], ${numbers(({ side }) => side)}::smallint[],
      ${numbers(({ energy }) => energy)}::bigint[], ${numbers(({ present }) => present)}::int[],
      ${numbers(({ expected }) => expected)}::int[], ${numbers(({ days }) => days)}::int[],
      ${toSqlArray(rows.map(({ holes }) => String(holes)))}::boolean[], ${numbers(({ quality }) => quality)}::smallint[],
      ${numbers(({ estimated }) => estimated)}::int[], ${numbers(({ total }) => total)}::bigint[],
      ${numbers(({ local }) => local)}::bigint[], ${numbers(({ excluded }) => excluded)}::int[],
      ${numbers(({ steps }) => steps)}::int[], ${numbers(({ seen }) => seen)}::int[], ${numbers(({ given }) => given)}::int[])
    ${RETURNING_ONE}`)
}

/** Recomputed from its days: a sum is never updated by differences. */
async function writeMonthRollup(tx: Db, { companyId, operationId }: OperationPeriod, month: string): Promise<void> {
  await tx.execute(sql`delete from operation_months where company_id = ${companyId} and operation_id = ${operationId}
    and month = ${month}`)
  await tx.execute(sql`
    insert into operation_months (company_id, operation_id, month, side, ${ROLLUP_COLUMNS})
    select company_id, operation_id, ${month}::date, side, sum(energy), sum(present), sum(expected), sum(days),
           bool_or(holes), max(quality), sum(estimated), sum(total), sum(local), sum(excluded), sum(steps), sum(seen), sum(given)
      from operation_days where company_id = ${companyId} and operation_id = ${operationId}
       and day >= ${month}::date and day < (${month}::date + interval '1 month')::date
     group by company_id, operation_id, side ${RETURNING_ONE}`)
}

export async function writeStepRollups(
  tx: Db,
  { companyId, operationId, from, to }: OperationPeriod,
  rows: RollupStepDay[],
): Promise<void> {
  await tx.execute(sql`delete from operation_steps where company_id = ${companyId} and operation_id = ${operationId}
    and day >= ${from} and day < ${to}`)
  if (!rows.length) return
  await tx.execute(sql`
    insert into operation_steps (company_id, operation_id, day, step, packed)
    select ${companyId}, ${operationId}, * from unnest(${toSqlArray(rows.map(({ day }) => day))}::date[],
      ${toSqlArray(rows.map(({ step }) => step))}::smallint[], ${sql.param(rows.map(({ packed }) => packed))}::bytea[])
    ${RETURNING_ONE}`)
}

/** The rollups of every company with marks. */
export async function refreshRollupsOfAllCompanies(db: Db, signal: AbortSignal): Promise<void> {
  const { rows } = await db.execute<{ id: number }>(sql`select distinct company_id as id from sum_marks order by 1`)
  for (const { id } of rows) await refreshRollups(scopeToCompany(db, id), id, signal)
}
