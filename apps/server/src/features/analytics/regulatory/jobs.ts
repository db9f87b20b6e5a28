import { asc } from 'drizzle-orm'
import { z } from 'zod'
import { companies } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { defineJob } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { remindDuties } from './duty-calendar.ts'

async function enqueueDutyReminders({ db }: Deps) {
  for (const { id } of await db.select({ id: companies.id }).from(companies).orderBy(asc(companies.id)))
    await enqueue(db, 'regulatory.remind', { companyId: id })
}

export const regulatoryJobs = {
  /** Every morning, one job per company, so that a failure does not affect others. */
  'regulatory.remind-all': defineJob({ input: z.object({}), cron: '10 7 * * *', run: enqueueDutyReminders }),
  'regulatory.remind': defineJob({ input: z.object({ companyId: z.int() }), run: remindDuties }),
}
