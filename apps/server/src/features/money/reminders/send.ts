import { FORMAL_LEVEL, LEVEL_WORDS, type ReminderSnapshot } from '@voisol/contract/reminders'
import { record } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { reminderItems, reminders } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { Secrets } from '../../../secrets.ts'
import { buyersOf, openSellerIban, sellersOf } from '../parties/parties.ts'
import { lockAccounts } from '../payments/payments.ts'
import { settingsOn } from '../settings/settings.ts'
import { dueAccounts } from './due.ts'
import { accountKey, sentSoFar } from './facts.ts'
import { letterOf } from './letter.ts'

export type Which = { sellerId: string; buyerId: string }
type Written = { snapshot: ReminderSnapshot; level: number; email: string }

/** What would be written to an account today; it is refused where nothing is due. */
export async function write(
  db: Db,
  secrets: Secrets,
  companyId: number,
  which: Which,
  today: string,
): Promise<Written> {
  const [account] = await dueAccounts(db, companyId, today, which)
  if (!account) throw new AppError('not-found')
  if (account.level === null)
    throw new AppError('conflict', {
      message:
        account.stopped ||
        'Rien n’est à envoyer aujourd’hui\u00a0: le délai depuis l’échéance ou la dernière relance n’est pas écoulé.',
    })
  const seller = (await sellersOf(db, companyId)).find(({ id }) => id === which.sellerId)
  const buyer = (await buyersOf(db, companyId, [which.buyerId])).get(which.buyerId)
  if (!seller || !buyer) throw new AppError('not-found')
  const settings = await settingsOn(db, companyId, today)
  const before = (await sentSoFar(db, companyId)).toAccount(accountKey(which))
  const { level } = account
  const letter = { account: { ...account, level }, seller, buyer, iban: openSellerIban(secrets, seller), settings }
  return { snapshot: letterOf({ ...letter, today, before }), level, email: buyer.email }
}

/** `mailedAt`: what tells a past, such as the demo, mails nothing. */
export type Scene = { companyId: number; secrets: Secrets; by: string; today: string; mailedAt?: Date }
export type Order = Which & { level: number; formal: boolean }

/** Sends what is due at the level that was read, in the caller's transaction; the mail goes once it is committed. */
export async function sendReminder(
  tx: Db,
  { companyId, secrets, by, today, mailedAt }: Scene,
  { level, formal, ...which }: Order,
) {
  await lockAccounts(tx, companyId)
  const written = await write(tx, secrets, companyId, which, today)
  if (written.level !== level)
    throw new AppError('conflict', {
      message: `Ce n’est plus «\u00a0${LEVEL_WORDS[level]}\u00a0» qui est à envoyer, mais «\u00a0${LEVEL_WORDS[written.level]}\u00a0»\u00a0: relisez avant d’envoyer.`,
    })
  if (level >= FORMAL_LEVEL && !formal)
    throw new AppError('conflict', {
      message: `${LEVEL_WORDS[level]}\u00a0: quelqu’un doit la relire et la confirmer.`,
    })
  const { snapshot } = written
  // The dossier is for the files of the seller.
  const email = level > FORMAL_LEVEL ? '' : written.email
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
  await record(tx, { companyId, name: 'reminder.sent', object: row.id, data })
  return { id: row.id, ...written }
}
