import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { recheckBrandHosts } from './brand-hosts.ts'

export const whiteLabelJobs = {
  'brand.prove': defineJob({ input: z.object({}), cron: '29 5 * * *', run: recheckBrandHosts }),
}
