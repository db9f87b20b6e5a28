import {
  type DueAccount,
  FORMAL_NOTICE_LEVEL,
  REMINDER_LEVEL_LABELS,
  type ReminderSnapshot,
} from '@voisol/contract/reminders'
import { formatEuros, formatIban, formatLongDay } from '@voisol/documents/number-and-date-formats'
import { formatCount } from '@voisol/file-formats/french'
import type { Db } from '../../../db/client.ts'
import { reminderItems, reminders } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { Secrets } from '../../../secrets.ts'
import { getToday } from '../../../today.ts'
import { loadPairAccounts } from '../../billing/invoices/index.ts'
import {
  type BuyerRow,
  decryptSellerIban,
  loadBuyers,
  loadSellers,
  type SellerRow,
} from '../../billing/parties/index.ts'
import { type EffectiveSettings, loadSettingHistory, loadSettingsOn } from '../../billing/settings/index.ts'
import { lockAccounts, postPayment } from '../payments/index.ts'
import {
  getAccountKey,
  type LateFeeAmounts,
  listOverdueDocuments,
  loadDueAccounts,
  loadLateFeeCalculators,
  loadSentReminders,
  type SentReminder,
} from './due-accounts.ts'

const TEXT_SETTINGS = { 1: 'reminder.text1', 2: 'reminder.text2', 3: 'reminder.text3', 4: 'reminder.text4' } as const
type PostalAddress = Pick<BuyerRow, 'address' | 'postalCode' | 'city'>
const formatAddress = ({ address, postalCode, city }: PostalAddress) =>
  [address, `${postalCode} ${city}`.trim()].filter(Boolean).join(', ')

/** Replaces the fields of the company's letter template; an unknown field name stays as typed. */
const fillTemplate = (text: string, fields: Record<string, string>) =>
  text.replace(/\{([^}]*)\}/g, (whole, name: string) => fields[name] ?? whole).replace(/[ \t]+$/gm, '')

type BuildReminderInput = {
  account: DueAccount & { level: number }
  seller: SellerRow
  buyer: BuyerRow
  iban: string | null
  settings: EffectiveSettings
  today: string
  before: SentReminder[]
}

/** The complete reminder to a buyer. */
function buildReminderSnapshot({
  account,
  seller,
  buyer,
  iban,
  settings,
  today,
  before,
}: BuildReminderInput): ReminderSnapshot {
  const { level, items, late } = account
  const open = items.reduce((sum, one) => sum + one.open, 0)
  // The settings have a letter for each of the four levels.
  const text = settings[TEXT_SETTINGS[level as keyof typeof TEXT_SETTINGS]].value
  const fields = {
    acheteur: buyer.name,
    vendeur: seller.name,
    montant: formatEuros(open),
    factures: items
      .map((one) => `${one.number} (${formatEuros(one.open)}, échue le ${formatLongDay(one.due)})`)
      .join(', '),
    date: formatLongDay(today),
    retard: formatCount(late, 'jour', 'jours'),
    iban: iban ? `IBAN\u00a0: ${formatIban(iban)}.` : '',
  }
  return {
    title: `${REMINDER_LEVEL_LABELS[level]} — ${seller.name}`,
    text: fillTemplate(text, fields),
    seller: { name: seller.name, address: formatAddress(seller), email: seller.email, phone: seller.phone },
    buyer: { name: buyer.name, address: formatAddress(buyer) },
    items,
    open,
    // Individuals are charged no fee; a business is told of fees from the formal notice on.
    fees: level >= 3 ? account.fees : null,
    before,
  }
}

type ReminderAccount = { sellerId: string; buyerId: string }
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
type SendReminderContext = { companyId: number; secrets: Secrets; by: string; today: string; mailedAt?: Date }
type SendReminderInput = ReminderAccount & { level: number; formal: boolean }

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

/** Charges a business the statutory late fees: the fixed indemnity once per document, and interest up to today. */
export async function claimLateFees(tx: Db, actor: Actor, which: ReminderAccount): Promise<LateFeeAmounts> {
  const { companyId } = actor
  const buyer = (await loadBuyers(tx, companyId, [which.buyerId])).get(which.buyerId)
  if (!buyer) throw new AppError('not-found')
  if (buyer.kind === 'person')
    throw new AppError('conflict', {
      message: `${buyer.name} est un particulier\u00a0: ni indemnité ni pénalités de professionnels ne lui sont réclamées.`,
    })
  await lockAccounts(tx, companyId)
  const pair = { ...which, clientSellerId: null }
  const [account] = await loadPairAccounts(tx, companyId, { pair })
  const overdueDocuments = account ? listOverdueDocuments(account, getToday()) : []
  const { ofDocument } = await loadLateFeeCalculators(
    tx,
    companyId,
    getToday(),
    await loadSettingHistory(tx, companyId),
  )
  const claimed: LateFeeAmounts = { indemnity: 0, interest: 0 }
  for (const document of overdueDocuments) {
    const fees = ofDocument(document)
    for (const name of ['indemnity', 'interest'] as const) {
      if (fees[name] <= 0) continue
      const source = `claim:${document.id}:${name}${name === 'interest' ? `:${getToday()}` : ''}`
      const words = name === 'indemnity' ? 'Indemnité de recouvrement' : 'Pénalités de retard'
      const how = { kind: 'charge' as const, method: 'none' as const, bookedOn: getToday(), accountId: null }
      const posting = { ...pair, ...how, amount: fees[name], source, note: `${words}, ${document.number}` }
      const { already } = await postPayment(tx, companyId, posting, formatActorName(actor))
      if (!already) claimed[name] += fees[name]
    }
  }
  if (claimed.indemnity + claimed.interest === 0)
    throw new AppError('conflict', {
      message: 'Rien n’est à réclamer\u00a0: rien n’est en retard, ou tout est déjà réclamé.',
    })
  return claimed
}
