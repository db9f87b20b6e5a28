import { z } from 'zod'
import { MAIL_RETRIES } from '../../../core/mail-retries.ts'
import { job } from '../../../jobs/job.ts'
import { mailReport } from './mail.ts'
import { sendDue, sendScheduled } from './send.ts'

export const reportJobs = {
  /** Early on each day; what could not leave yesterday leaves today. */
  'reports.due': job({ input: z.object({}), cron: '40 7 * * *', run: sendDue }),
  'reports.send': job({
    input: z.object({ companyId: z.int(), scheduleId: z.uuid(), period: z.string() }),
    run: sendScheduled,
  }),
  'reports.mail': job({
    input: z.object({ companyId: z.int(), reportId: z.uuid(), userId: z.uuid(), scheduleId: z.uuid().optional() }),
    parallel: 2,
    policy: { ...MAIL_RETRIES, expireInSeconds: 120 },
    run: mailReport,
  }),
}
