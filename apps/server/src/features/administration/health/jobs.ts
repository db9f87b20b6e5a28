import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { followAlerts } from './alerts.ts'
import { keepSamples } from './health.ts'
import { measureHealth } from './measure.ts'

export const healthJobs = {
  'health.sample': job({
    input: z.object({}),
    cron: '*/5 * * * *',
    policy: { retryLimit: 0, expireInSeconds: 60, deleteAfterSeconds: 3600 },
    async run(deps) {
      const measured = await measureHealth(deps)
      await keepSamples(deps.db, measured)
      await followAlerts(deps, measured)
    },
  }),
}
