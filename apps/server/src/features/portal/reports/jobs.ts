import { z } from 'zod'
import { MAIL_RETRY_OPTIONS } from '../../../core/company-mail.ts'
import { defineJob } from '../../../jobs/job.ts'
import { sendReportMail } from './report-mail.ts'
import { enqueueDueReports, sendScheduledReport } from './report-schedules.ts'

export const reportJobs = {
  /** Runs daily; what could not be sent yesterday is sent today. */
  'reports.due': defineJob({ input: z.object({}), cron: '40 7 * * *', run: enqueueDueReports }),
  'reports.send': defineJob({
    input: z.object({ companyId: z.int(), scheduleId: z.uuid(), period: z.string() }),
    run: sendScheduledReport,
  }),
  'reports.mail': defineJob({
    input: z.object({ companyId: z.int(), reportId: z.uuid(), userId: z.uuid(), scheduleId: z.uuid().optional() }),
    parallel: 2,
    policy: { ...MAIL_RETRY_OPTIONS, expireInSeconds: 120 },
    run: sendReportMail,
  }),
}
