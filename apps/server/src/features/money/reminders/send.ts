import { FORMAL_NOTICE_LEVEL, REMINDER_LEVEL_LABELS, type ReminderSnapshot } from '@voisol/contract/reminders'
import { recordEvent } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { reminderItems, reminders } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { Secrets } from '../../../secrets.ts'
import { decryptSellerIban, loadBuyers, loadSellers } from '../parties/parties.ts'
import { lockAccounts } from '../payments/payments.ts'
import { loadSettingsOn } from '../settings/settings.ts'
import { loadDueAccounts } from './due.ts'
import { getAccountKey, loadSentReminders } from './facts.ts'
import { buildReminderSnapshot } from './letter.ts'

export type ReminderAccount = { sellerId: string; buyerId: string }
type ReminderDraft = { snapshot: ReminderSnapshot; level: number; email: string }

/** The reminder that would be sent today; refused when nothing is due. */
export async function draftReminder(
  db: Db,
  secrets: Secrets,
  companyId: number,
  which: ReminderAccount,
  today: string,
): Promise<ReminderDraft> {
  const [account] = await loadDueAccounts(db, companyId, today, which)
  if (!account) throw new AppError('not-found')
  if (account.level === null)
    throw new AppError('conflict', {
      message:
        account.stopped ||
        'Rien n’est à envoyer aujourd’hui\u00a0: le délai depuis l’échéance ou la dernière relance n’est pas écoulé.',
    })
  const seller = (await loadSellers(db, companyId)).find(({ id }) => id === which.sellerId)
  const buyer = (await loadBuyers(db, companyId, [which.buyerId])).get(which.buyerId)
  if (!seller || !buyer) throw new AppError('not-found')
  const settings = await loadSettingsOn(db, companyId, today)
  const before = (await loadSentReminders(db, companyId)).toAccount(getAccountKey(which))
  const { level } = account
  const reminderInput = {
    account: { ...account, level },
    seller,
    buyer,
    iban: decryptSellerIban(secrets, seller),
    settings,
  }
  return { snapshot: buildReminderSnapshot({ ...reminderInput, today, before }), level, email: buyer.email }
}

/** `mailedAt` marks a reminder as already sent: demo data in the past sends no mail. */
export type SendReminderContext = { companyId: number; secrets: Secrets; by: string; today: string; mailedAt?: Date }
export type SendReminderInput = ReminderAccount & { level: number; formal: boolean }

/** Records the reminder at the level that was read, in the caller's transaction; the mail leaves after the commit. */
export async function sendReminder(
  tx: Db,
  { companyId, secrets, by, today, mailedAt }: SendReminderContext,
  { level, formal, ...which }: SendReminderInput,
) {
  await lockAccounts(tx, companyId)
  const draft = await draftReminder(tx, secrets, companyId, which, today)
  if (draft.level !== level)
    throw new AppError('conflict', {
      message: `Ce n’est plus «\u00a0${REMINDER_LEVEL_LABELS[level]}\u00a0» qui est à envoyer, mais «\u00a0${REMINDER_LEVEL_LABELS[draft.level]}\u00a0»\u00a0: relisez avant d’envoyer.`,
    })
  if (level >= FORMAL_NOTICE_LEVEL && !formal)
    throw new AppError('conflict', {
      message: `${REMINDER_LEVEL_LABELS[level]}\u00a0: quelqu’un doit la relire et la confirmer.`,
    })
  const { snapshot } = draft
  // The last level is a case file for the seller, and is not sent to the buyer.
  const email = level > FORMAL_NOTICE_LEVEL ? '' : draft.email
  const row = { companyId, id: crypto.randomUUID(), ...which, level, sentOn: today, email, open: snapshot.open }
  await tx.insert(reminders).values({ ...row, snapshot, mailedAt: mailedAt ?? null, createdBy: by })
  await tx.insert(reminderItems).values(
    snapshot.items.map((item) => ({
      companyId,
      reminderId: row.id,
      invoiceId: item.id,
      level: item.level,
      open: item.open,
    })),
  )
  if (email && !mailedAt) await enqueue(tx, 'reminder.mail', { companyId, reminderId: row.id }, { once: row.id })
  const data = { reminderId: row.id, ...which, level, open: snapshot.open, sentOn: today }
  await recordEvent(tx, { companyId, name: 'reminder.sent', object: row.id, data })
  return { id: row.id, ...draft }
}
