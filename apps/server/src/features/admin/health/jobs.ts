import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { storeHealthSamples } from './health.ts'
import { updateAlerts } from './health-alerts.ts'
import { measureHealth } from './health-metrics.ts'

export const healthJobs = {
  'health.sample': defineJob({
    input: z.object({}),
    cron: '*/5 * * * *',
    policy: { retryLimit: 0, expireInSeconds: 60, deleteAfterSeconds: 3600 },
    async run(deps) {
      const measured = await measureHealth(deps)
      await storeHealthSamples(deps.db, measured)
      await updateAlerts(deps, measured)
    },
  }),
}
