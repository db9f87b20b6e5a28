import { addDays } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { defineJob, toStableId } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { getToday } from '../../../today.ts'
import { notifyBestHours } from './best-hours.ts'
import { issueForecasts } from './issue-forecasts.ts'
import { ACCURACY_WINDOW_DAYS, loadFirstOutdatedScoreDay, scoreForecasts } from './score-forecasts.ts'

type ForecastOperation = { companyId: number; operationId: string }
/** Operations in service with a plant, of every company. */
const listOperationsInService = async (db: Db, day: string): Promise<ForecastOperation[]> => {
  const { rows } = await db.execute<ForecastOperation>(sql`
    select o.company_id as "companyId", o.id as "operationId" from operations o
     where o.status = 'active' and (o.starts_on is null or o.starts_on <= ${day}) and (o.ends_on is null or o.ends_on > ${day})
       and exists (select from participations s join points p on p.company_id = s.company_id and p.id = s.point_id
             where s.company_id = o.company_id and s.operation_id = o.id and p.direction = 'production' and not p.storage
               and s.starts_on <= ${day} and (s.ends_on is null or s.ends_on > ${day}))
     order by o.company_id, o.id`)
  return rows
}

/** Corrections arrive late, so the last weeks are scored again. */
const RESCORED_DAYS = 10

/** One job per operation and day; checked every hour, since the server may have been off at night. */
async function enqueueForecasts({ db }: Deps) {
  const day = getToday()
  for (const { companyId, operationId } of await listOperationsInService(db, day))
    await enqueue(
      db,
      'forecasts.issue',
      { companyId, operationId, day },
      { id: toStableId(`forecasts ${companyId} ${operationId} ${day}`) },
    )
}

const OperationInput = z.object({ companyId: z.int(), operationId: z.uuid() })

export const forecastJobs = {
  'forecasts.night': defineJob({ input: z.object({}), cron: '10 5-22 * * *', run: enqueueForecasts }),
  'forecasts.issue': defineJob({
    input: OperationInput.extend({ day: z.iso.date() }),
    stopsAtOnce: true,
    run: async (deps, { day, ...operation }, { signal }) => {
      // A forecast missed on its day is not made afterwards.
      if (day !== getToday()) return
      await issueForecasts(deps, { ...operation, whens: [{ day, issuedAt: new Date() }], signal })
      const old = await loadFirstOutdatedScoreDay(
        deps.db,
        operation.companyId,
        operation.operationId,
        addDays(day, -ACCURACY_WINDOW_DAYS),
      )
      const from = addDays(day, -RESCORED_DAYS)
      await scoreForecasts(deps, { ...operation, from: old !== null && old < from ? old : from, to: day })
    },
  }),
  'forecasts.score': defineJob({
    follows: true,
    input: OperationInput.extend({ from: z.iso.date(), to: z.iso.date() }),
    run: scoreForecasts,
  }),
  /** In the evening, tomorrow's best hours. */
  'forecasts.tell': defineJob({ input: z.object({}), cron: '30 18 * * *', run: notifyBestHours }),
}
