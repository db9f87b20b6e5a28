import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { askProviders } from './ask.ts'

export const onlineJobs = {
  'online.ask': job({ input: z.object({}), cron: '25 3 * * *', run: (deps) => askProviders(deps) }),
}
