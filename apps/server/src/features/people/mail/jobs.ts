import { z } from 'zod'
import { isRefused, type Mail } from '../../../adapters/mail/mail.ts'
import { sendFor } from '../../../core/company-sender.ts'
import { GiveUp, job } from '../../../jobs/job.ts'
import { MAIL_PLACE } from './mail.ts'

export const mailJobs = {
  'mail.send': job({
    input: z.object({ sealed: z.string(), companyId: z.int().optional() }),
    parallel: 4,
    // A mail server may be away for hours; what it has refused for good is not offered again.
    policy: { retryLimit: 14, expireInSeconds: 120 },
    async run(deps, { sealed, companyId }, task) {
      const mail: Mail = JSON.parse(deps.secrets.open(sealed, MAIL_PLACE))
      const named = { ...mail, id: task.id }
      try {
        await (companyId ? sendFor(deps, companyId, named) : deps.mailer.send(named))
      } catch (error) {
        throw isRefused(error) ? new GiveUp('the message was refused', { cause: error }) : error
      }
    },
  }),
}
