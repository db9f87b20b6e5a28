import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { publishDueContents } from './publish-content.ts'

export const contentJobs = {
  'content.publish': defineJob({
    input: z.object({}),
    cron: '* * * * *',
    atStart: true,
    policy: { retryLimit: 0, expireInSeconds: 60, deleteAfterSeconds: 3600 },
    async run(deps) {
      await publishDueContents(deps)
    },
  }),
}
