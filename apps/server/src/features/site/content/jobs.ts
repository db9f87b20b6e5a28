import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { publishDue } from './publish.ts'

export const contentJobs = {
  'content.publish': job({
    input: z.object({}),
    cron: '* * * * *',
    atStart: true,
    policy: { retryLimit: 0, expireInSeconds: 60, deleteAfterSeconds: 3600 },
    async run(deps) {
      await publishDue(deps)
    },
  }),
}
