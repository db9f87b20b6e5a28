import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { takeDropped } from './dropped.ts'

export const bankJobs = {
  'bank.dropped': job({ input: z.object({}), cron: '*/5 * * * *', run: takeDropped }),
}
