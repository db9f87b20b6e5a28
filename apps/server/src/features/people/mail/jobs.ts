import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { isRefused, type Mail } from '../../../adapters/mail/mail.ts'
import { sendFor } from '../../../core/company-sender.ts'
import { MAIL_RETRIES } from '../../../core/mail-retries.ts'
import type { Db } from '../../../db/client.ts'
import { mailMonths } from '../../../db/schema/index.ts'
import { GiveUp, job } from '../../../jobs/job.ts'
import { today } from '../../../today.ts'
import { MAIL_PLACE } from './mail.ts'

/** The queue forgets what it sent after some days. */
const countSent = (db: Db, companyId: number) =>
  db
    .insert(mailMonths)
    .values({ companyId, month: `${today().slice(0, 7)}-01`, sent: 1 })
    .onConflictDoUpdate({
      target: [mailMonths.companyId, mailMonths.month],
      set: { sent: sql`${mailMonths.sent} + 1` },
    })

/** What has left lately: a database that is away just then cannot note it, and the job comes again. */
const left = new Set<string>()
const REMEMBERED = 10_000

function remember(id: string) {
  left.add(id)
  const [oldest] = left
  if (left.size > REMEMBERED && oldest) left.delete(oldest)
}

export const mailJobs = {
  'mail.send': job({
    input: z.object({
      sealed: z.string(),
      companyId: z.int().optional(),
      sender: z.literal('installation').optional(),
    }),
    parallel: 4,
    // What the mail server has refused for good is not offered again.
    policy: { ...MAIL_RETRIES, expireInSeconds: 120 },
    async run(deps, { sealed, companyId, sender }, task) {
      if (left.has(task.id)) return
      const mail: Mail = JSON.parse(deps.secrets.open(sealed, MAIL_PLACE))
      const named = { ...mail, id: task.id }
      try {
        await (companyId ? sendFor(deps, companyId, named, { sender }) : deps.mailer.send(named))
      } catch (error) {
        throw isRefused(error) ? new GiveUp('the message was refused', { cause: error }) : error
      }
      remember(task.id)
      // It has left: a count that fails must not send it again.
      if (companyId) await countSent(deps.db, companyId).catch((error) => deps.log.warn(error, 'a mail is not counted'))
    },
  }),
}
