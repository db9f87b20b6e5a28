import { FORMAL_LEVEL } from '@voisol/contract/reminders'
import { isWorkingDay } from '@voisol/money/holidays'
import { z } from 'zod'
import { MAIL_RETRIES } from '../../../core/mail-retries.ts'
import { forCompany, transaction } from '../../../db/client.ts'
import { companies } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { job } from '../../../jobs/job.ts'
import { today } from '../../../today.ts'
import { settingsOn } from '../settings/settings.ts'
import { dueAccounts } from './due.ts'
import { mailReminder } from './mail.ts'
import { sendReminder } from './send.ts'

/** Sends what needs nobody's word, where the company said so, and on working days alone. */
export async function sendAutomatic(deps: Deps, companyId: number, day: string): Promise<number> {
  if (!isWorkingDay(day)) return 0
  const { 'reminder.automatic': automatic } = await settingsOn(deps.db, companyId, day)
  if (!automatic.value) return 0
  let sent = 0
  for (const { seller, buyer, level } of await dueAccounts(deps.db, companyId, day)) {
    if (level === null || level >= FORMAL_LEVEL) continue
    const scene = { companyId, secrets: deps.secrets, by: '', today: day }
    const order = { sellerId: seller.id, buyerId: buyer.id, level, formal: false }
    try {
      await transaction(forCompany(deps.db, companyId), (tx) => sendReminder(tx, scene, order))
      sent++
    } catch (error) {
      // Paid or settled meanwhile: there is nothing left to say.
      if (!(error instanceof AppError)) throw error
    }
  }
  return sent
}

export const reminderJobs = {
  /** Early on each day; a company whose job failed is taken up again, and finds what was sent. */
  'reminders.daily': job({
    input: z.object({}),
    cron: '30 8 * * *',
    run: async (deps) => {
      for (const { id } of await deps.db.select({ id: companies.id }).from(companies))
        await sendAutomatic(deps, id, today())
    },
  }),
  'reminder.mail': job({
    input: z.object({ companyId: z.int(), reminderId: z.uuid() }),
    parallel: 2,
    policy: { ...MAIL_RETRIES, expireInSeconds: 120 },
    run: (deps, { companyId, reminderId }, task) => mailReminder(deps, companyId, reminderId, task),
  }),
}
