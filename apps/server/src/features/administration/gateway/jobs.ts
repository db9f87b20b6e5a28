import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { rollUpCalls } from './roll-up.ts'

export const gatewayJobs = {
  'gateway.roll-up': defineJob({
    input: z.object({}),
    cron: '*/10 * * * *',
    policy: { retryLimit: 1, deleteAfterSeconds: 3600 },
    run: ({ db }) => rollUpCalls(db),
  }),
}
