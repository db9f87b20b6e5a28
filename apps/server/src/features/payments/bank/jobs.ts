import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { importDroppedStatements } from './watched-statement-folder.ts'

export const bankJobs = {
  'bank.dropped': defineJob({ input: z.object({}), cron: '*/5 * * * *', run: importDroppedStatements }),
}
