import { type DueAccount, REMINDER_LEVEL_LABELS, type ReminderSnapshot } from '@voisol/contract/reminders'
import { formatCount } from '../../../french.ts'
import { formatEuros } from '../../../papers/decimals.ts'
import { formatIban, formatLongDay } from '../../../papers/words.ts'
import type { BuyerRow, SellerRow } from '../parties/parties.ts'
import type { EffectiveSettings } from '../settings/settings.ts'
import type { SentReminder } from './facts.ts'

const TEXT_SETTINGS = { 1: 'reminder.text1', 2: 'reminder.text2', 3: 'reminder.text3', 4: 'reminder.text4' } as const
type PostalAddress = Pick<BuyerRow, 'address' | 'postalCode' | 'city'>
const formatAddress = ({ address, postalCode, city }: PostalAddress) =>
  [address, `${postalCode} ${city}`.trim()].filter(Boolean).join(', ')

/** Replaces the fields of the company's letter template; an unknown field name stays as typed. */
export const fillTemplate = (text: string, fields: Record<string, string>) =>
  text.replace(/\{([^}]*)\}/g, (whole, name: string) => fields[name] ?? whole).replace(/[ \t]+$/gm, '')

export type BuildReminderInput = {
  account: DueAccount & { level: number }
  seller: SellerRow
  buyer: BuyerRow
  iban: string | null
  settings: EffectiveSettings
  today: string
  before: SentReminder[]
}

/** The complete reminder to a buyer. */
export function buildReminderSnapshot({
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
