import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { operations } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { defineJob } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { findAndStoreInsights } from './find-insights.ts'

async function enqueueInsightSearches({ db }: Deps) {
  const rows = await db
    .select({ companyId: operations.companyId, operationId: operations.id })
    .from(operations)
    .where(eq(operations.status, 'active'))
    .orderBy(operations.companyId, operations.id)
  for (const row of rows) await enqueue(db, 'insights.look', row)
}

export const insightJobs = {
  /** After the nightly readings and allocation; one job per operation, so that a failure does not affect others. */
  'insights.nightly': defineJob({ input: z.object({}), cron: '20 5 * * *', run: enqueueInsightSearches }),
  'insights.look': defineJob({
    input: z.object({ companyId: z.int(), operationId: z.uuid() }),
    run: async (deps, input, { signal }) => {
      await findAndStoreInsights(deps, { ...input, signal })
    },
  }),
}
