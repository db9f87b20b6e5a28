import { FORMAL_NOTICE_LEVEL } from '@voisol/contract/reminders'
import { isWorkingDay } from '@voisol/money/working-days'
import { z } from 'zod'
import { MAIL_RETRY_OPTIONS } from '../../../core/company-mail.ts'
import { scopeToCompany, transaction } from '../../../db/client.ts'
import { companies } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { defineJob } from '../../../jobs/job.ts'
import { getToday } from '../../../today.ts'
import { loadSettingsOn } from '../../billing/settings/index.ts'
import { loadDueAccounts } from './due-accounts.ts'
import { mailReminder } from './reminder-mail.ts'
import { sendReminder } from './send-reminder.ts'

/** Sends the reminders that need no approval, if the company chose so, on working days only. */
export async function sendAutomaticReminders(deps: Deps, companyId: number, day: string): Promise<number> {
  if (!isWorkingDay(day)) return 0
  const { 'reminder.automatic': automatic } = await loadSettingsOn(deps.db, companyId, day)
  if (!automatic.value) return 0
  let sent = 0
  for (const { seller, buyer, level } of await loadDueAccounts(deps.db, companyId, day)) {
    if (level === null || level >= FORMAL_NOTICE_LEVEL) continue
    const context = { companyId, secrets: deps.secrets, by: '', today: day }
    const order = { sellerId: seller.id, buyerId: buyer.id, level, formal: false }
    try {
      await transaction(scopeToCompany(deps.db, companyId), (tx) => sendReminder(tx, context, order))
      sent++
    } catch (error) {
      // It was paid or settled meanwhile: there is nothing left to send.
      if (!(error instanceof AppError)) throw error
    }
  }
  return sent
}

export const reminderJobs = {
  /** Early each day; after a failure the job runs again and does not repeat what was sent. */
  'reminders.daily': defineJob({
    input: z.object({}),
    cron: '30 8 * * *',
    run: async (deps) => {
      for (const { id } of await deps.db.select({ id: companies.id }).from(companies))
        await sendAutomaticReminders(deps, id, getToday())
    },
  }),
  'reminder.mail': defineJob({
    input: z.object({ companyId: z.int(), reminderId: z.uuid() }),
    parallel: 2,
    policy: { ...MAIL_RETRY_OPTIONS, expireInSeconds: 120 },
    run: (deps, { companyId, reminderId }, task) => mailReminder(deps, companyId, reminderId, task),
  }),
}
