import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { recheckDomains } from './prove-again.ts'
import { notifyExpiringConnections } from './watch.ts'

export const ssoJobs = {
  'sso.prove': defineJob({ input: z.object({}), cron: '23 5 * * *', run: recheckDomains }),
  'sso.watch': defineJob({ input: z.object({}), cron: '41 6 * * *', run: notifyExpiringConnections }),
}
