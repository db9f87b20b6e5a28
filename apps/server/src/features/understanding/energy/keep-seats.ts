import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { gathered } from '../../../db/gathered.ts'
import { column } from './columns.ts'
import type { Period } from './period.ts'
import {
  emptySeats,
  keyOf,
  keysIn,
  type PackedSeats,
  packSeats,
  type SeatSum,
  seatAdder,
  seatSum,
} from './seat-pack.ts'
import type { Measured, Shared, Sums } from './sums.ts'

type Own = Period & { companyId: number; operationId: string }
type Rows = (PackedSeats & { day: string })[]

/** The seats of each day of which anything is read or allocated, in the order of the members. */
export function seatDays(ids: string[], read: Sums<Measured>, run: Sums<Shared>): Rows {
  const days = new Map<string, [string, SeatSum][]>()
  for (const [at, id] of ids.entries()) {
    const [known, given] = [read.get(at), run.get(at)]
    for (const day of new Set([...(known?.keys() ?? []), ...(given?.keys() ?? [])])) {
      const { total = 0, local = 0 } = given?.get(day) ?? {}
      const own = days.get(day) ?? []
      days.set(day, own)
      own.push([keyOf(id), { energy: known?.get(day)?.energy ?? 0, total, local }])
    }
  }
  return [...days].map(([day, sums]) => ({ day, ...packSeats(sums) }))
}

export async function writeSeats(tx: Db, own: Own, month: string, rows: Rows): Promise<void> {
  const { companyId, operationId, from, to } = own
  await tx.execute(sql`delete from operation_seats where company_id = ${companyId} and operation_id = ${operationId}
    and (not monthly and day >= ${from} and day < ${to} or monthly and day = ${month})`)
  await insert(tx, own, false, rows)
  const packed = await monthOfSeats(tx, own, month)
  if (packed) await insert(tx, own, true, [{ day: month, ...packed }])
}

async function insert(tx: Db, { companyId, operationId }: Own, monthly: boolean, rows: Rows): Promise<void> {
  if (!rows.length) return
  await tx.execute(sql`
    insert into operation_seats (company_id, operation_id, monthly, day, seats, packed)
    select ${companyId}, ${operationId}, ${monthly}, * from unnest(${column(rows.map(({ day }) => day))}::date[],
      ${sql.param(rows.map(({ seats }) => seats))}::bytea[], ${sql.param(rows.map(({ packed }) => packed))}::bytea[])
    ${gathered}`)
}

/** From its days, those that were not summed now among them. */
async function monthOfSeats(tx: Db, { companyId, operationId }: Own, month: string): Promise<PackedSeats | null> {
  const { rows } = await tx.execute<PackedSeats>(sql`
    select seats, packed from operation_seats where company_id = ${companyId} and operation_id = ${operationId}
       and not monthly and day >= ${month}::date and day < (${month}::date + interval '1 month')::date order by day`)
  if (!rows.length) return null
  const keys = new Map<string, number>()
  for (const { seats } of rows) for (const key of keysIn(seats)) if (!keys.has(key)) keys.set(key, keys.size)
  const sums = emptySeats(keys.size)
  const add = seatAdder((key) => keys.get(key), sums)
  for (const row of rows) add(row)
  return packSeats([...keys].map(([key, at]) => [key, seatSum(sums, at)]))
}
