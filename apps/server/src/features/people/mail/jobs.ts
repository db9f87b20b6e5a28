import { z } from 'zod'
import { isRefused, type Mail } from '../../../adapters/mail/mail.ts'
import { GiveUp, job } from '../../../jobs/job.ts'
import { MAIL_PLACE } from './mail.ts'

export const mailJobs = {
  'mail.send': job({
    input: z.object({ sealed: z.string(), companyId: z.int().optional() }),
    parallel: 4,
    // A mail server may be away for hours; what it has refused for good is not offered again.
    policy: { retryLimit: 14, expireInSeconds: 120 },
    async run({ mailer, secrets }, { sealed }, task) {
      const mail: Mail = JSON.parse(secrets.open(sealed, MAIL_PLACE))
      try {
        await mailer.send({ ...mail, id: task.id })
      } catch (error) {
        throw isRefused(error) ? new GiveUp('the message was refused', { cause: error }) : error
      }
    },
  }),
}
