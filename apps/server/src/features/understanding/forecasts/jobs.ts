import { addDays } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { job, jobId } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { today } from '../../../today.ts'
import { WINDOW_DAYS } from './accuracy.ts'
import { tellBestHours } from './announce.ts'
import { issueFor } from './issue.ts'
import { firstOld, scoreDays } from './score.ts'

type Service = { companyId: number; operationId: string }
/** Operations in service with a plant, of every company. */
const inService = async (db: Db, day: string): Promise<Service[]> => {
  const { rows } = await db.execute<Service>(sql`
    select o.company_id as "companyId", o.id as "operationId" from operations o
     where o.status = 'active' and (o.starts_on is null or o.starts_on <= ${day}) and (o.ends_on is null or o.ends_on > ${day})
       and exists (select from participations s join points p on p.company_id = s.company_id and p.id = s.point_id
             where s.company_id = o.company_id and s.operation_id = o.id and p.direction = 'production' and not p.storage
               and s.starts_on <= ${day} and (s.ends_on is null or s.ends_on > ${day}))
     order by o.company_id, o.id`)
  return rows
}

/** Corrections come late: the last weeks are looked at again. */
const LOOK_BACK = 10

/** Each operation by itself, once a day; looked at every hour, since a server may have slept at night. */
async function night({ db }: Deps) {
  const day = today()
  for (const { companyId, operationId } of await inService(db, day))
    await enqueue(
      db,
      'forecasts.issue',
      { companyId, operationId, day },
      { id: jobId(`forecasts ${companyId} ${operationId} ${day}`) },
    )
}

const Operation = z.object({ companyId: z.int(), operationId: z.uuid() })

export const forecastJobs = {
  'forecasts.night': job({ input: z.object({}), cron: '10 5-22 * * *', run: night }),
  'forecasts.issue': job({
    input: Operation.extend({ day: z.iso.date() }),
    stopsAtOnce: true,
    run: async (deps, { day, ...operation }, { signal }) => {
      // What was not said that day is not said after it.
      if (day !== today()) return
      await issueFor(deps, { ...operation, whens: [{ day, issuedAt: new Date() }], signal })
      const old = await firstOld(deps.db, operation.companyId, operation.operationId, addDays(day, -WINDOW_DAYS))
      const from = addDays(day, -LOOK_BACK)
      await scoreDays(deps, { ...operation, from: old !== null && old < from ? old : from, to: day })
    },
  }),
  'forecasts.score': job({
    follows: true,
    input: Operation.extend({ from: z.iso.date(), to: z.iso.date() }),
    run: scoreDays,
  }),
  /** In the evening, what tomorrow is good for. */
  'forecasts.tell': job({ input: z.object({}), cron: '30 18 * * *', run: tellBestHours }),
}
