import { sql } from 'drizzle-orm'
import { listStaleRollups } from '../../../core/stale-rollups.ts'
import { RETURNING_ONE } from '../../../db/citus.ts'
import type { Db } from '../../../db/client.ts'
import {
  type AllocationSum,
  type GroupedSums,
  loadAllocationSumsOfRuns,
  loadReadingSums,
  type ReadingSum,
} from './energy-sums.ts'
import { listMembersOfOperations, type ParticipationGroup, toSqlArray } from './member-scope.ts'
import {
  buildMemberPeriods,
  listOperationIds,
  listRunsInForce,
  type MemberPeriod,
  type Period,
  splitByRun,
} from './periods.ts'
import { clipToRanges, type StaleRanges, splitFreshMonthsAndDays } from './rollup-read.ts'

type OperationPeriod = Period & { companyId: number; operationId: string }
type PackedDaySums = (PackedParticipationSums & { day: string })[]

/** The participations of each day with readings or allocated energy, in member order. */
export function packParticipationDays(
  ids: string[],
  read: GroupedSums<ReadingSum>,
  run: GroupedSums<AllocationSum>,
): PackedDaySums {
  const days = new Map<string, [string, ParticipationSum][]>()
  for (const [at, id] of ids.entries()) {
    const [readingSums, allocationSums] = [read.get(at), run.get(at)]
    for (const day of new Set([...(readingSums?.keys() ?? []), ...(allocationSums?.keys() ?? [])])) {
      const { total = 0, local = 0 } = allocationSums?.get(day) ?? {}
      const own = days.get(day) ?? []
      days.set(day, own)
      own.push([toPackedKey(id), { energy: readingSums?.get(day)?.energy ?? 0, total, local }])
    }
  }
  return [...days].map(([day, sums]) => ({ day, ...packParticipationSums(sums) }))
}

export async function writeParticipationRollups(
  tx: Db,
  own: OperationPeriod,
  month: string,
  rows: PackedDaySums,
): Promise<void> {
  const { companyId, operationId, from, to } = own
  await tx.execute(sql`delete from operation_seats where company_id = ${companyId} and operation_id = ${operationId}
    and (not monthly and day >= ${from} and day < ${to} or monthly and day = ${month})`)
  await insertParticipationRollups(tx, own, false, rows)
  const packed = await sumParticipationMonth(tx, own, month)
  if (packed) await insertParticipationRollups(tx, own, true, [{ day: month, ...packed }])
}

async function insertParticipationRollups(
  tx: Db,
  { companyId, operationId }: OperationPeriod,
  monthly: boolean,
  rows: PackedDaySums,
): Promise<void> {
  if (!rows.length) return
  await tx.execute(sql`
    insert into operation_seats (company_id, operation_id, monthly, day, seats, packed)
    select ${companyId}, ${operationId}, ${monthly}, * from unnest(${toSqlArray(rows.map(({ day }) => day))}::date[],
      ${sql.param(rows.map(({ seats }) => seats))}::bytea[], ${sql.param(rows.map(({ packed }) => packed))}::bytea[])
    ${RETURNING_ONE}`)
}

/** Built from all its days, including those not recomputed now. */
async function sumParticipationMonth(
  tx: Db,
  { companyId, operationId }: OperationPeriod,
  month: string,
): Promise<PackedParticipationSums | null> {
  const { rows } = await tx.execute<PackedParticipationSums>(sql`
    select seats, packed from operation_seats where company_id = ${companyId} and operation_id = ${operationId}
       and not monthly and day >= ${month}::date and day < (${month}::date + interval '1 month')::date order by day`)
  if (!rows.length) return null
  const keys = new Map<string, number>()
  for (const { seats } of rows) for (const key of readPackedKeys(seats)) if (!keys.has(key)) keys.set(key, keys.size)
  const sums = createParticipationSums(keys.size)
  const add = createPackedSumAdder((key) => keys.get(key), sums)
  for (const row of rows) add(row)
  return packParticipationSums([...keys].map(([key, at]) => [key, getParticipationSum(sums, at)]))
}

/** A participation with the fields needed to read its days one by one. */
type SummedParticipation = ParticipationGroup & { id: string }

/** Energy read and allocated for each participation, from the days of its point. */
export async function loadParticipationSums(
  db: Db,
  companyId: number,
  participations: SummedParticipation[],
  period: Period,
): Promise<Float64Array> {
  const sums = createParticipationSums(participations.length)
  await addMemberPeriods(
    db,
    companyId,
    buildMemberPeriods(participations, period, (_, at) => at),
    period,
    sums,
  )
  return sums
}

async function addMemberPeriods(
  db: Db,
  companyId: number,
  memberPeriods: MemberPeriod[],
  period: Period,
  sums: Float64Array,
) {
  if (!memberPeriods.length) return
  const runsInForce = await listRunsInForce(db, companyId, listOperationIds(memberPeriods), period)
  const read = await loadReadingSums(db, companyId, memberPeriods, 'whole')
  const run = await loadAllocationSumsOfRuns(db, companyId, splitByRun(memberPeriods, runsInForce), 'whole')
  for (const [at, own] of read)
    addParticipationSumAt(sums, at, { energy: own.get('')?.energy ?? 0, total: 0, local: 0 })
  for (const [at, own] of run) addParticipationSumAt(sums, at, { total: 0, local: 0, ...own.get(''), energy: 0 })
}

/** The same for members of whole operations: from rollups, and from daily rows where they are outdated. */
export const readParticipationRollups = (
  db: Db,
  companyId: number,
  participations: SummedParticipation[],
  period: Period,
): Promise<Float64Array> =>
  readParticipationRollupsAt(
    db,
    companyId,
    listOperationIds(participations),
    period,
    new Map(participations.map(({ id }, at) => [toPackedKey(id), at])),
  )

/** For all members of some operations, each at the position of its participation key. */
export async function readParticipationRollupsAt(
  db: Db,
  companyId: number,
  ids: string[],
  period: Period,
  places: Map<string, number>,
): Promise<Float64Array> {
  const stale = await listStaleRollups(db, companyId, ids)
  const sums = createParticipationSums(places.size)
  const add = createPackedSumAdder((key) => places.get(key), sums)
  for (const row of await readParticipationRollupRows(db, companyId, ids, period, stale)) add(row)
  if (!stale.size) return sums
  const members = await listMembersOfOperations(db, companyId, [...stale.keys()])
  const staleMemberPeriods = clipToRanges(
    buildMemberPeriods(members, period, ({ id }) => places.get(toPackedKey(id)) ?? -1).filter(
      ({ group }) => group >= 0,
    ),
    stale,
  )
  await addMemberPeriods(db, companyId, staleMemberPeriods, period, sums)
  return sums
}

type ParticipationRollupRow = { seats: Buffer | null; packed: Buffer }

/** Row by row; the participation list is only returned when it differs from the previous row's. */
async function readParticipationRollupRows(
  db: Db,
  companyId: number,
  ids: string[],
  period: Period,
  stale: StaleRanges,
): Promise<ParticipationRollupRow[]> {
  const ranges = ids.flatMap((id) => {
    const { months, days } = splitFreshMonthsAndDays(period, stale.get(id) ?? [], true)
    return [
      ...months.map((span) => ({ id, monthly: 1, ...span })),
      ...days.map((span) => ({ id, monthly: 0, ...span })),
    ]
  })
  if (!ranges.length) return []
  const { rows } = await db.execute<ParticipationRollupRow>(sql`
    select case when s.seats is distinct from lag(s.seats) over w then s.seats end as seats, s.packed
      from unnest(${toSqlArray(ranges.map(({ id }) => id))}::uuid[], ${toSqlArray(ranges.map(({ monthly }) => monthly))}::int[],
                  ${toSqlArray(ranges.map(({ from }) => from))}::date[],
                  ${toSqlArray(ranges.map(({ to }) => to))}::date[]) m(operation_id, monthly, lo, hi)
      join operation_seats s on s.company_id = ${companyId} and s.operation_id = m.operation_id
       and s.monthly = (m.monthly = 1) and s.day >= m.lo and s.day < m.hi
    window w as (order by s.operation_id, s.monthly, s.day)
     order by s.operation_id, s.monthly, s.day`)
  return rows
}

/** In watt-minutes: energy read for a participation, the part counted by runs in force, and its local part. */
export type ParticipationSum = { energy: number; total: number; local: number }

const ID_BYTES = 16
const NUMBERS_PER_SUM = 3
const SHORT_BYTES = 4
const SHORT_LIMIT = 2 ** 31

/** The key of an id in packed lists: its bytes in hexadecimal. */
export const toPackedKey = (id: string): string => id.replaceAll('-', '')

/** The ids of a packed list, in order. */
function readPackedKeys(seats: Buffer): string[] {
  const all = seats.toString('hex')
  return Array.from({ length: seats.length / ID_BYTES }, (_, n) => all.slice(n * 2 * ID_BYTES, (n + 1) * 2 * ID_BYTES))
}

type PackedParticipationSums = { seats: Buffer; packed: Buffer }

/** 4-byte integers when all values fit, otherwise 8-byte floats. */
export function packParticipationSums(sums: Iterable<[string, ParticipationSum]>): PackedParticipationSums {
  const all = [...sums]
  const numbers = all.flatMap(([, { energy, total, local }]) => [energy, total, local])
  const short = numbers.every((value) => Math.abs(value) < SHORT_LIMIT)
  return {
    seats: Buffer.from(all.map(([key]) => key).join(''), 'hex'),
    packed: Buffer.from((short ? Int32Array.from(numbers) : Float64Array.from(numbers)).buffer),
  }
}

/**
 * Adds packed sums to those of each participation. The positions are kept, since consecutive lists are nearly always
 * equal.
 */
export function createPackedSumAdder(placeOf: (key: string) => number | undefined, sums: Float64Array) {
  let places: (number | undefined)[] = []
  return ({ seats, packed }: { seats: Buffer | null; packed: Buffer }): void => {
    if (seats) places = readPackedKeys(seats).map(placeOf)
    const short = packed.length === places.length * NUMBERS_PER_SUM * SHORT_BYTES
    const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
    for (let n = 0; n < places.length; n++) {
      const place = places[n]
      if (place === undefined) continue
      for (let number = 0; number < NUMBERS_PER_SUM; number++) {
        const at = n * NUMBERS_PER_SUM + number
        const to = place * NUMBERS_PER_SUM + number
        sums[to] = (sums[to] ?? 0) + (short ? view.getInt32(at * 4, true) : view.getFloat64(at * 8, true))
      }
    }
  }
}

export const createParticipationSums = (count: number) => new Float64Array(count * NUMBERS_PER_SUM)

export const getParticipationSum = (sums: Float64Array, at: number): ParticipationSum => ({
  energy: sums[at * NUMBERS_PER_SUM] ?? 0,
  total: sums[at * NUMBERS_PER_SUM + 1] ?? 0,
  local: sums[at * NUMBERS_PER_SUM + 2] ?? 0,
})

function addParticipationSumAt(sums: Float64Array, at: number, { energy, total, local }: ParticipationSum): void {
  for (const [number, value] of [energy, total, local].entries()) {
    const to = at * NUMBERS_PER_SUM + number
    sums[to] = (sums[to] ?? 0) + value
  }
}

export const addParticipationSums = (one: ParticipationSum, more: ParticipationSum): ParticipationSum => ({
  energy: one.energy + more.energy,
  total: one.total + more.total,
  local: one.local + more.local,
})
