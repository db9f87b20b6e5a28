import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { lapseMandates } from './lapse.ts'

export const mandateJobs = {
  'mandates.lapse': job({ input: z.object({}), cron: '23 5 * * *', run: lapseMandates }),
}
