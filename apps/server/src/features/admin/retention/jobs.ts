import { asc, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { companies } from '../../../db/schema/index.ts'
import { defineJob } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { applyRetention } from './apply-retention.ts'

export const retentionJobs = {
  // Example companies are skipped: they are deleted as a whole and hold no personal data.
  'retention.nightly': defineJob({
    input: z.object({}),
    cron: '40 2 * * *',
    async run({ db }) {
      const rows = await db
        .select({ id: companies.id })
        .from(companies)
        .where(isNull(companies.exampleOf))
        .orderBy(asc(companies.id))
      for (const { id } of rows) await enqueue(db, 'retention.pass', { companyId: id }, { once: String(id) })
    },
  }),
  'retention.pass': defineJob({
    input: z.object({ companyId: z.int() }),
    stopsAtOnce: true,
    run: (deps, { companyId }, { signal }) => applyRetention(deps, companyId, signal),
  }),
}
