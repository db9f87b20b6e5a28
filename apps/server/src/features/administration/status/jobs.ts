import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { measure, probeSite } from './probes.ts'
import { recordSamples } from './samples.ts'

export const statusJobs = {
  'status.sample': job({
    input: z.object({}),
    cron: '*/5 * * * *',
    policy: { retryLimit: 0, expireInSeconds: 60, deleteAfterSeconds: 3600 },
    async run(deps) {
      const [measured, site] = await Promise.all([measure(deps), probeSite(deps.config)])
      await recordSamples(deps.db, { ...measured, ...(site && { site }) })
    },
  }),
}
