import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { importDroppedStatements } from './dropped.ts'

export const bankJobs = {
  'bank.dropped': defineJob({ input: z.object({}), cron: '*/5 * * * *', run: importDroppedStatements }),
}
