import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { rollUp } from './roll-up.ts'

export const gatewayJobs = {
  'gateway.roll-up': job({
    input: z.object({}),
    cron: '*/10 * * * *',
    policy: { retryLimit: 1, deleteAfterSeconds: 3600 },
    run: ({ db }) => rollUp(db),
  }),
}
