import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { proveHostsAgain } from './prove-again.ts'

export const whiteLabelJobs = {
  'brand.prove': job({ input: z.object({}), cron: '29 5 * * *', run: proveHostsAgain }),
}
