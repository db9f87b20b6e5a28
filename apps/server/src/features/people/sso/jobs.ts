import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { watchConnections } from './watch.ts'

export const ssoJobs = {
  'sso.watch': job({ input: z.object({}), cron: '41 6 * * *', run: watchConnections }),
}
