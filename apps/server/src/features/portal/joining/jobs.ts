import { and, inArray, lt, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { deleteUnreferencedFiles } from '../../../core/stored-files.ts'
import { transaction } from '../../../db/client.ts'
import { applications } from '../../../db/schema/index.ts'
import { defineJob } from '../../../jobs/job.ts'

const isOver = or(
  and(inArray(applications.state, ['draft', 'verified']), lt(applications.createdAt, sql`now() - interval '30 days'`)),
  and(
    inArray(applications.state, ['refused', 'withdrawn']),
    lt(applications.decidedAt, sql`now() - interval '1 year'`),
  ),
)

export const joiningJobs = {
  /**
   * Runs daily: deletes unsigned applications after thirty days, refused or withdrawn ones with their document after a
   * year.
   */
  'joining.tidy': defineJob({
    input: z.object({}),
    cron: '25 4 * * *',
    run: ({ db }) =>
      transaction(db, async (tx) => {
        const gone = await tx.delete(applications).where(isOver).returning()
        for (const { companyId, fileId } of gone) if (fileId) await deleteUnreferencedFiles(tx, companyId, [fileId])
      }),
  }),
}
