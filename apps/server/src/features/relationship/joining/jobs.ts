import { and, inArray, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { transaction } from '../../../db/client.ts'
import { applications } from '../../../db/schema/index.ts'
import { job } from '../../../jobs/job.ts'

export const joiningJobs = {
  /** Early each day: what was never signed goes after thirty days, what was refused or taken back after a year. */
  'joining.tidy': job({
    input: z.object({}),
    cron: '25 4 * * *',
    run: ({ db }) =>
      transaction(db, async (tx) => {
        await tx
          .delete(applications)
          .where(
            and(
              inArray(applications.state, ['draft', 'verified']),
              lt(applications.createdAt, sql`now() - interval '30 days'`),
            ),
          )
        await tx
          .delete(applications)
          .where(
            and(
              inArray(applications.state, ['refused', 'withdrawn']),
              lt(applications.decidedAt, sql`now() - interval '1 year'`),
            ),
          )
      }),
  }),
}
