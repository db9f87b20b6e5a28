import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { measureStatus, probeSite, recordStatusSamples } from './status-samples.ts'

export const statusJobs = {
  'status.sample': defineJob({
    input: z.object({}),
    cron: '*/5 * * * *',
    policy: { retryLimit: 0, expireInSeconds: 60, deleteAfterSeconds: 3600 },
    async run(deps) {
      const [measured, site] = await Promise.all([measureStatus(deps), probeSite(deps.config)])
      await recordStatusSamples(deps.db, { ...measured, ...(site && { site }) })
    },
  }),
}
