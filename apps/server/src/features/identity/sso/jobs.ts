import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { notifyExpiringConnections } from './certificates.ts'
import { recheckDomains } from './domains.ts'

export const ssoJobs = {
  'sso.prove': defineJob({ input: z.object({}), cron: '23 5 * * *', run: recheckDomains }),
  'sso.watch': defineJob({ input: z.object({}), cron: '41 6 * * *', run: notifyExpiringConnections }),
}
