import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { lapseMandates } from './change-mandates.ts'

export const mandateJobs = {
  'mandates.lapse': defineJob({ input: z.object({}), cron: '23 5 * * *', run: lapseMandates }),
}
