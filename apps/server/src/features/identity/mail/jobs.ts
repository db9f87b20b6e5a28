import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { MAIL_RETRY_OPTIONS, sendCompanyMail } from '../../../core/company-mail.ts'
import type { Db } from '../../../db/client.ts'
import { mailMonths } from '../../../db/schema/index.ts'
import { isPermanentMailRefusal, type Mail } from '../../../integrations/mail/mail.ts'
import { defineJob, PermanentJobError } from '../../../jobs/job.ts'
import { getToday } from '../../../today.ts'
import { MAIL_SEAL_CONTEXT } from './mail.ts'

/** Counted in a table, because the queue deletes sent messages after some days. */
const countSentMail = (db: Db, companyId: number) =>
  db
    .insert(mailMonths)
    .values({ companyId, month: `${getToday().slice(0, 7)}-01`, sent: 1 })
    .onConflictDoUpdate({
      target: [mailMonths.companyId, mailMonths.month],
      set: { sent: sql`${mailMonths.sent} + 1` },
    })

/** Recently sent messages: if the database is down, the job cannot be marked as done and runs again. */
const recentlySentIds = new Set<string>()
const MAX_REMEMBERED_MAILS = 10_000

function rememberSent(id: string) {
  recentlySentIds.add(id)
  const [oldest] = recentlySentIds
  if (recentlySentIds.size > MAX_REMEMBERED_MAILS && oldest) recentlySentIds.delete(oldest)
}

export const mailJobs = {
  'mail.send': defineJob({
    input: z.object({
      sealed: z.string(),
      companyId: z.int().optional(),
      sender: z.literal('installation').optional(),
    }),
    parallel: 4,
    // A message that the mail server refused permanently is not retried.
    policy: { ...MAIL_RETRY_OPTIONS, expireInSeconds: 120 },
    async run(deps, { sealed, companyId, sender }, task) {
      if (recentlySentIds.has(task.id)) return
      const mail: Mail = JSON.parse(deps.secrets.open(sealed, MAIL_SEAL_CONTEXT))
      const named = { ...mail, id: task.id }
      try {
        await (companyId ? sendCompanyMail(deps, companyId, named, { sender }) : deps.mailer.send(named))
      } catch (error) {
        throw isPermanentMailRefusal(error) ? new PermanentJobError('the message was refused', { cause: error }) : error
      }
      rememberSent(task.id)
      // The message has been sent: a failure to count it must not send it again.
      if (companyId)
        await countSentMail(deps.db, companyId).catch((error) => deps.log.warn(error, 'a mail is not counted'))
    },
  }),
}
