import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { tellExpiring } from './expiry.ts'

export const apiKeyJobs = {
  'api-keys.expiry': job({
    input: z.object({}),
    cron: '9 7 * * *',
    run: (deps) => tellExpiring(deps),
  }),
}
