import { asc } from 'drizzle-orm'
import { z } from 'zod'
import { companies } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { job } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { remind } from './remind.ts'

async function remindAll({ db }: Deps) {
  for (const { id } of await db.select({ id: companies.id }).from(companies).orderBy(asc(companies.id)))
    await enqueue(db, 'regulatory.remind', { companyId: id })
}

export const regulatoryJobs = {
  /** Every morning, each company by itself: one that fails keeps nobody else waiting. */
  'regulatory.remind-all': job({ input: z.object({}), cron: '10 7 * * *', run: remindAll }),
  'regulatory.remind': job({ input: z.object({ companyId: z.int() }), run: remind }),
}
