import { addMonths, dayStart, minutesOfDay } from '@voisol/energy/calendar'
import type { Step } from '@voisol/energy/series'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { RETURNING_ONE } from '../../../db/gathered.ts'
import { applyWorstMark } from './buckets.ts'
import { toSqlArray } from './columns.ts'
import { packHours } from './hour-pack.ts'
import type { Period } from './period.ts'
import { createStepFrame } from './step-columns.ts'
import { addPackedSteps, hasMark } from './step-pack.ts'

type OperationPeriod = Period & { companyId: number; operationId: string }

const MINUTES_PER_HOUR = 60
/** The bit of a day in its month. */
export const getDayBit = (day: string) => 1 << (Number(day.slice(8)) - 1)

/** Built from the steps of its days; days summed at another step are marked, and added when summed again. */
export async function writeHourRollups(
  tx: Db,
  { companyId, operationId }: OperationPeriod,
  month: string,
  step: Step,
): Promise<void> {
  const next = addMonths(month, 1)
  await tx.execute(sql`delete from operation_hours where company_id = ${companyId} and operation_id = ${operationId}
    and month = ${month}`)
  const { rows } = await tx.execute<{ day: string; packed: Buffer }>(sql`
    select day::text as day, packed from operation_steps where company_id = ${companyId} and operation_id = ${operationId}
       and day >= ${month} and day < ${next} and step = ${step}`)
  if (!rows.length) return
  const { columns, origin, parts } = createStepFrame([], { from: month, to: next }, step, MINUTES_PER_HOUR)
  let mask = 0
  for (const { day, packed } of rows) {
    const first = (dayStart(day) - origin) / step
    const marks = addPackedSteps(packed, minutesOfDay(day) / step, columns, first, parts)
    for (const [at, mark] of marks.entries())
      if (hasMark(mark)) applyWorstMark(columns.marks, Math.floor((first + at) / parts), mark)
    mask |= getDayBit(day)
  }
  const packed = packHours(columns)
  await tx.execute(sql`
    insert into operation_hours (company_id, operation_id, month, part, step, mask, packed)
    select ${companyId}, ${operationId}, ${month}::date, p.part, ${step}::smallint, ${mask}::int, p.packed
      from unnest(${toSqlArray(packed.map(({ part }) => part))}::smallint[],
                  ${sql.param(packed.map((row) => row.packed))}::bytea[]) p(part, packed) ${RETURNING_ONE}`)
}
