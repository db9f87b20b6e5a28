import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { proveAgain } from './prove-again.ts'
import { watchConnections } from './watch.ts'

export const ssoJobs = {
  'sso.prove': job({ input: z.object({}), cron: '23 5 * * *', run: proveAgain }),
  'sso.watch': job({ input: z.object({}), cron: '41 6 * * *', run: watchConnections }),
}
