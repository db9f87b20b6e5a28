import { addMonths, dayStart, listDays, monthOf } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { staleSums } from '../../../core/sum-marks.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { SIDES } from './buckets.ts'
import { sideOf } from './crews.ts'
import { writeHours } from './keep-hours.ts'
import { seatDays, writeSeats } from './keep-seats.ts'
import { addTo } from './kept-sums.ts'
import type { Period } from './period.ts'
import { cut, earlier, heldOver, later, underRuns } from './pieces.ts'
import { type Member, membersOfOperations } from './scope.ts'
import { addStepped, finestStep, frameOf } from './step-columns.ts'
import { packSteps } from './step-pack.ts'
import { addMeasured, addShared, type Measured, measured, type Shared, type Sums, sharedUnder } from './sums.ts'
import { writeDays, writeMonth, writeSteps } from './write-sums.ts'

const LOCK = 0x73756d73
/** Two who sum the same days would have the slower one write the older figures. */
const alone = (tx: Db, companyId: number) => tx.execute(sql`select pg_advisory_xact_lock(${LOCK}, ${companyId})`)

type Part = Period & { operationId: string }

/** Sums again whatever is marked, a month of an operation at a time: stopped at any moment it goes on from there. */
export async function keepSums(db: Db, companyId: number, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const parts = await transaction(db, (tx) => sortMarks(tx, companyId))
    if (!parts.length) return
    for (const part of parts) {
      signal?.throwIfAborted()
      await transaction(db, (tx) => sumAgain(tx, companyId, part))
    }
  }
}

/** Replaces the marks by one for each month of each operation. */
async function sortMarks(tx: Db, companyId: number): Promise<Part[]> {
  await alone(tx, companyId)
  const { rows } = await tx.execute<{ id: string }>(sql`select id from sum_marks where company_id = ${companyId}`)
  if (!rows.length) return []
  const found: Part[] = []
  for (const [operationId, spans] of await staleSums(tx, companyId)) {
    const known = await knownDays(tx, companyId, operationId)
    if (known)
      for (const span of spans)
        found.push(
          ...months(later(span.from, known.from), earlier(span.to, known.to)).map((m) => ({ operationId, ...m })),
        )
  }
  await tx.execute(sql`delete from sum_marks where company_id = ${companyId}
    and id = any(${sql.param(rows.map(({ id }) => id))}::uuid[])`)
  for (const { operationId, from, to } of found)
    await tx.execute(sql`insert into sum_marks (company_id, operation_ids, starts_on, ends_on)
      values (${companyId}, array[${operationId}::uuid], ${from}, ${to})`)
  return found
}

function months(from: string, to: string): Period[] {
  const found: Period[] = []
  for (let month = monthOf(from); month < to; month = addMonths(month, 1))
    found.push({ from: later(month, from), to: earlier(addMonths(month, 1), to) })
  return found
}

/** From the first to the last day of which anything is read, allocated or kept. */
async function knownDays(tx: Db, companyId: number, operationId: string): Promise<Period | null> {
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

/** The marks go first: one that comes while this is at work stays, and has the days summed once more. */
async function sumAgain(tx: Db, companyId: number, { operationId, from, to }: Part): Promise<void> {
  await alone(tx, companyId)
  await tx.execute(sql`delete from sum_marks where company_id = ${companyId} and starts_on >= ${from} and ends_on <= ${to}
    and operation_ids = array[${operationId}::uuid] and point_ids = '{}'`)
  const period = { from, to }
  const members = await membersOfOperations(tx, companyId, [operationId])
  const pieces = cut(members, period, (_, at) => at)
  const held = await heldOver(tx, companyId, [operationId], period)
  const under = underRuns(pieces, held)
  const read = await measured(tx, companyId, pieces, 'day')
  const run = await sharedUnder(tx, companyId, under, 'day')
  const own = { companyId, operationId, ...period }
  const ids = members.map(({ id }) => id)
  await writeSeats(tx, own, monthOf(from), seatDays(ids, read, run))
  await writeDays(tx, own, daysOf(bySide(members, read, addMeasured), bySide(members, run, addShared)))
  await writeMonth(tx, own, monthOf(from))
  await writeSteps(tx, own, await stepsOf(tx, own, members))
  await writeHours(tx, own, monthOf(from), finestStep(members))
}

/** What each member has, added up by side. */
function bySide<T extends object>(members: Member[], sums: Sums<T>, add: (sum: T, more: T) => void): Sums<T> {
  const sides: Sums<T> = new Map()
  for (const [at, days] of sums) {
    const member = members[at]
    if (member) for (const [bucket, sum] of days) addTo(sides, { group: sideOf(member), bucket }, sum, add)
  }
  return sides
}

export type SummedDay = Measured & Shared & { day: string; side: number }

const NONE = { energy: 0, present: 0, expected: 0, days: 0, holes: false, quality: 0, estimated: 0, seen: 0 }
const UNSHARED = { total: 0, local: 0, excluded: 0, steps: 0, given: 0 }

function daysOf(read: Sums<Measured>, run: Sums<Shared>): SummedDay[] {
  return SIDES.flatMap((_, side) => {
    const days = new Set([...(read.get(side)?.keys() ?? []), ...(run.get(side)?.keys() ?? [])])
    return [...days].map((day) => ({
      ...(read.get(side)?.get(day) ?? NONE),
      ...(run.get(side)?.get(day) ?? UNSHARED),
      day,
      side,
    }))
  })
}

export type SummedSteps = { day: string; step: number; packed: Buffer }

async function stepsOf(tx: Db, { companyId, from, to }: Part & { companyId: number }, members: Member[]) {
  const period = { from, to }
  const step = finestStep(members)
  const frame = frameOf(members, period, step, step)
  await addStepped(tx, companyId, members, period, frame, (pieces) => pieces)
  const origin = dayStart(from)
  const at = (day: string) => (dayStart(day) - origin) / step
  const days = [...listDays(from, to), to]
  return days.slice(0, -1).flatMap((day, n): SummedSteps[] => {
    const packed = packSteps(frame.columns, at(day), at(days[n + 1] ?? to))
    return packed ? [{ day, step, packed }] : []
  })
}
