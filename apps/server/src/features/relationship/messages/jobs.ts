import { z } from 'zod'
import { MAIL_RETRIES } from '../../../core/mail-retries.ts'
import { job } from '../../../jobs/job.ts'
import { mailMessage, sendDue, sendMessage } from './send.ts'

const ref = { companyId: z.int(), messageId: z.uuid() }

export const messageJobs = {
  /** What a stop, or a copy put back, left behind its moment. */
  'messages.due': job({ input: z.object({}), cron: '*/5 * * * *', run: sendDue }),
  'messages.send': job({ input: z.object(ref), run: sendMessage }),
  'messages.mail': job({
    input: z.object({ ...ref, participantId: z.uuid(), reminder: z.boolean() }),
    parallel: 2,
    policy: { ...MAIL_RETRIES, expireInSeconds: 120 },
    run: mailMessage,
  }),
}
