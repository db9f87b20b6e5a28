import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { RETURNING_ONE } from '../../../db/gathered.ts'
import { toSqlArray } from './columns.ts'
import type { Period } from './period.ts'
import {
  createPackedSumAdder,
  createParticipationSums,
  getParticipationSum,
  type PackedParticipationSums,
  type ParticipationSum,
  packParticipationSums,
  readPackedKeys,
  toPackedKey,
} from './seat-pack.ts'
import type { AllocationSum, GroupedSums, ReadingSum } from './sums.ts'

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
