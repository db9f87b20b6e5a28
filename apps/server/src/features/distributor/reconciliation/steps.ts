import { dayStart, minutesOfDay } from '@voisol/energy/calendar'
import { MISSING, type Step, toEnergySteps } from '@voisol/energy/series'
import { sql } from 'drizzle-orm'
import { unpackInts } from '../../../core/packed.ts'
import type { Db } from '../../../db/client.ts'
import type { ReconciliationContext } from './scene.ts'

/** Watt-minutes per step, MISSING for gaps; both sides on the coarser of the two steps. */
type StepFigures = { step: Step; ours: Int32Array; theirs: Int32Array }

export async function loadStepFigures(
  db: Db,
  context: ReconciliationContext,
  pointId: string,
  day: string,
): Promise<StepFigures> {
  const { companyId, operationId } = context
  const { rows: own } = await db.execute<{ allocated: Buffer }>(sql`
    select d.allocated from allocation_coverage c
      join allocation_days d on d.company_id = c.company_id and d.run_id = c.run_id and d.day = c.day
     where c.company_id = ${companyId} and c.operation_id = ${operationId} and c.day = ${day} and d.point_id = ${pointId}`)
  const { rows: their } = await db.execute<{ step: Step; watts: Buffer }>(sql`
    select step, watts from distributor_days
     where company_id = ${companyId} and operation_id = ${operationId} and point_id = ${pointId} and day = ${day}
       and type = 'autocons'`)
  const ours = own[0] ? unpackInts(own[0].allocated) : new Int32Array(0)
  const minutes = minutesOfDay(day)
  const ourStep = ours.length ? minutes / ours.length : 0
  const [series] = their
  const step = Math.max(ourStep, series?.step ?? 0) as Step // one of the two
  return {
    step,
    ours: ours.length ? sumSteps(ours, step / ourStep) : ours,
    theirs: series
      ? toEnergySteps({ startsAt: dayStart(day), step: series.step, watts: unpackInts(series.watts) }, step)
      : new Int32Array(0),
  }
}

/** Sums groups of steps; a group with a gap is MISSING. */
function sumSteps(values: Int32Array, parts: number): Int32Array {
  if (parts === 1) return values
  return Int32Array.from({ length: values.length / parts }, (_, at) => {
    const own = values.subarray(at * parts, (at + 1) * parts)
    return own.some((value) => value < 0) ? MISSING : own.reduce((sum, value) => sum + value, 0)
  })
}
