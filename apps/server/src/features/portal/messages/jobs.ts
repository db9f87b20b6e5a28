import { z } from 'zod'
import { MAIL_RETRY_OPTIONS } from '../../../core/company-mail.ts'
import { defineJob } from '../../../jobs/job.ts'
import { enqueueDueMessages, sendMessage, sendMessageMail } from './send-messages.ts'

const messageRefFields = { companyId: z.int(), messageId: z.uuid() }

export const messageJobs = {
  /** Sends scheduled messages whose job was lost, after an interruption or a restore. */
  'messages.due': defineJob({ input: z.object({}), cron: '*/5 * * * *', run: enqueueDueMessages }),
  'messages.send': defineJob({ input: z.object(messageRefFields), run: sendMessage }),
  'messages.mail': defineJob({
    input: z.object({ ...messageRefFields, participantId: z.uuid(), reminder: z.boolean() }),
    parallel: 2,
    policy: { ...MAIL_RETRY_OPTIONS, expireInSeconds: 120 },
    run: sendMessageMail,
  }),
}
