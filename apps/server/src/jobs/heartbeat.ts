import { z } from 'zod'
import { statusSamples } from '../db/schema/index.ts'
import { defineJob } from './job.ts'

/** Health samples of this component show when jobs last ran. */
export const JOBS_COMPONENT = 'jobs'

export const heartbeatJobs = {
  'queue.heartbeat': defineJob({
    input: z.object({}),
    cron: '* * * * *',
    atStart: true,
    policy: { retryLimit: 0, expireInSeconds: 50, deleteAfterSeconds: 3600 },
    async run({ db }) {
      await db.insert(statusSamples).values({ component: JOBS_COMPONENT, at: new Date(), ok: true })
    },
  }),
}
