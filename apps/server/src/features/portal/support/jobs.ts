import { and, eq, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { transaction } from '../../../db/client.ts'
import { tickets } from '../../../db/schema/index.ts'
import { defineJob } from '../../../jobs/job.ts'
import { deleteUnsentAttachments } from './attachments.ts'

export const supportJobs = {
  /** Early each day: what was solved a fortnight ago is closed, and files that were never sent go. Writing reopens it. */
  'support.tidy': defineJob({
    input: z.object({}),
    cron: '20 4 * * *',
    run: ({ db }) =>
      transaction(db, async (tx) => {
        await tx
          .update(tickets)
          .set({ state: 'closed', version: sql`${tickets.version} + 1` })
          .where(and(eq(tickets.state, 'solved'), lt(tickets.solvedAt, sql`now() - interval '14 days'`)))
        await deleteUnsentAttachments(tx)
      }),
  }),
}
