import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { recordExpiringApiKeys } from './rotate-api-key.ts'

export const apiKeyJobs = {
  'api-keys.expiry': defineJob({
    input: z.object({}),
    cron: '9 7 * * *',
    run: (deps) => recordExpiringApiKeys(deps),
  }),
}
