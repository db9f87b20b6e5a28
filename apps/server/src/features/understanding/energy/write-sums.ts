import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { RETURNING_ONE } from '../../../db/gathered.ts'
import { toSqlArray } from './columns.ts'
import type { RollupDay, RollupStepDay } from './keep-sums.ts'
import type { Period } from './period.ts'

type OperationPeriod = Period & { companyId: number; operationId: string }

const ROLLUP_COLUMNS = sql`energy, present, expected, days, holes, quality, estimated, total, local, excluded, steps, seen, given`

export async function writeDayRollups(
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
export async function writeMonthRollup(
  tx: Db,
  { companyId, operationId }: OperationPeriod,
  month: string,
): Promise<void> {
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
