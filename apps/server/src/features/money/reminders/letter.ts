import { type DueAccount, LEVEL_WORDS, type ReminderSnapshot } from '@voisol/contract/reminders'
import { plural } from '../../../french.ts'
import { euros } from '../../../papers/decimals.ts'
import { grouped, longDay } from '../../../papers/words.ts'
import type { BuyerRow, SellerRow } from '../parties/parties.ts'
import type { HeldSettings } from '../settings/settings.ts'
import type { Sent } from './facts.ts'

const LETTERS = { 1: 'reminder.text1', 2: 'reminder.text2', 3: 'reminder.text3', 4: 'reminder.text4' } as const
type Place = Pick<BuyerRow, 'address' | 'postalCode' | 'city'>
const placeOf = ({ address, postalCode, city }: Place) =>
  [address, `${postalCode} ${city}`.trim()].filter(Boolean).join(', ')

/** Every field of the company's letter by what it stands for; a name that is no field stays as it was typed. */
export const filled = (text: string, fields: Record<string, string>) =>
  text.replace(/\{([^}]*)\}/g, (whole, name: string) => fields[name] ?? whole).replace(/[ \t]+$/gm, '')

export type Letter = {
  account: DueAccount & { level: number }
  seller: SellerRow
  buyer: BuyerRow
  iban: string | null
  settings: HeldSettings
  today: string
  before: Sent[]
}

/** What is written to a buyer, whole. */
export function letterOf({ account, seller, buyer, iban, settings, today, before }: Letter): ReminderSnapshot {
  const { level, items, late } = account
  const open = items.reduce((sum, one) => sum + one.open, 0)
  // The table of settings has a letter for each of the four.
  const text = settings[LETTERS[level as keyof typeof LETTERS]].value
  const fields = {
    acheteur: buyer.name,
    vendeur: seller.name,
    montant: euros(open),
    factures: items.map((one) => `${one.number} (${euros(one.open)}, échue le ${longDay(one.due)})`).join(', '),
    date: longDay(today),
    retard: plural(late, 'jour', 'jours'),
    iban: iban ? `IBAN\u00a0: ${grouped(iban)}.` : '',
  }
  return {
    title: `${LEVEL_WORDS[level]} — ${seller.name}`,
    text: filled(text, fields),
    seller: { name: seller.name, address: placeOf(seller), email: seller.email, phone: seller.phone },
    buyer: { name: buyer.name, address: placeOf(buyer) },
    items,
    open,
    // A person is told of no fee; a business is, once, from the formal notice on.
    fees: level >= 3 ? account.fees : null,
    before,
  }
}
