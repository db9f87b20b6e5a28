import type { DueDebit, DueItem, Known, Payer } from '@voisol/money/match'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { mandates, participants, payouts, sellers } from '../../../db/schema/index.ts'
import type { Secrets } from '../../../secrets.ts'
import { openIban } from '../../energy/participants/participants.ts'
import { debitsOfAccount, returnWords } from '../debits/debits.ts'
import { ibanPrint } from '../mandates/mandates.ts'
import { buyersOf, sellersOf } from '../parties/parties.ts'
import { type AskedItem, askedItems, type OpenItem, openItems, type Pair } from '../payments/payments.ts'
import { onlineHeld } from './online-held.ts'

export const pairKey = ({ sellerId, buyerId, clientSellerId }: Pair) => `${sellerId} ${buyerId ?? clientSellerId}`

/** What buyers owe in a company: documents alone, since only they have a number to be paid under. */
export async function owedItems(db: Db, companyId: number): Promise<OpenItem[]> {
  const all: OpenItem[] = []
  for (const { id } of await sellersOf(db, companyId)) all.push(...(await openItems(db, companyId, { sellerId: id })))
  return all.filter(({ of, side }) => of === 'invoice' && side === 'debit')
}

/** And what a credit note has closed meanwhile: whoever pays by the invoice in hand does not know of it. */
async function askedOf(db: Db, companyId: number): Promise<AskedItem[]> {
  const all: AskedItem[] = []
  for (const { id } of await sellersOf(db, companyId)) all.push(...(await askedItems(db, companyId, id)))
  return all
}

/** Accounts from which a buyer has paid before: what a person decided is learnt. */
async function learntPrints(db: Db, companyId: number): Promise<Map<string, Set<string>>> {
  const { rows } = await db.execute<{ print: string; seller: string; buyer: string }>(sql`
    select distinct l.party_print as print, p.seller_id as seller, coalesce(p.buyer_id, p.client_seller_id) as buyer
      from payments p join bank_lines l
        on l.company_id = p.company_id and p.source like 'entry:%' and l.id::text = split_part(p.source, ':', 2)
     where p.company_id = ${companyId} and l.status = 'posted' and l.party_print <> ''`)
  const learnt = new Map<string, Set<string>>()
  for (const { print, seller, buyer } of rows) {
    const key = `${seller} ${buyer}`
    learnt.set(key, (learnt.get(key) ?? new Set()).add(print))
  }
  return learnt
}

async function accountsOfBuyers(db: Db, secrets: Secrets, companyId: number) {
  const rows = await db
    .select({ id: mandates.participantId, print: mandates.ibanPrint, holder: mandates.holder })
    .from(mandates)
    .where(eq(mandates.companyId, companyId))
  const sheets = await db
    .select({ companyId: participants.companyId, id: participants.id, iban: participants.iban })
    .from(participants)
    .where(and(eq(participants.companyId, companyId), isNotNull(participants.iban)))
  const own = sheets.flatMap((sheet) => {
    const iban = openIban(secrets, sheet)
    return iban ? [{ id: sheet.id, print: ibanPrint(secrets, iban), holder: '' }] : []
  })
  return Map.groupBy([...rows, ...own], ({ id }) => id)
}

/** Who may have paid what is open: by the accounts and names that are known of each. */
async function payersOf(db: Db, secrets: Secrets, companyId: number, items: OpenItem[]): Promise<Payer[]> {
  const learnt = await learntPrints(db, companyId)
  const accounts = await accountsOfBuyers(db, secrets, companyId)
  const pairs = new Map(items.map((item) => [pairKey(item), item]))
  const ids = [...pairs.values()].flatMap(({ buyerId }) => (buyerId ? [buyerId] : []))
  const buyers = await buyersOf(db, companyId, [...new Set(ids)])
  return [...pairs].map(([pair, { buyerId }]) => {
    const own = accounts.get(buyerId ?? '') ?? []
    const buyer = buyers.get(buyerId ?? '')
    return {
      pair,
      accounts: [...new Set([...own.map(({ print }) => print), ...(learnt.get(pair) ?? [])])],
      names: [buyer?.name ?? '', ...(buyer?.jointHolders ?? []), ...own.map(({ holder }) => holder)].filter(Boolean),
    }
  })
}

/** Transfers to producers whose file is at the bank and which no line has told of yet. */
const filedPayouts = (db: Db, companyId: number, accountId: string) =>
  db
    .select({
      id: payouts.id,
      endToEndId: payouts.endToEndId,
      messageId: payouts.messageId,
      amount: payouts.amount,
      producer: sellers.name,
    })
    .from(payouts)
    .innerJoin(sellers, and(eq(sellers.companyId, payouts.companyId), eq(sellers.id, payouts.sellerId)))
    .where(and(eq(payouts.companyId, companyId), eq(payouts.accountId, accountId), eq(payouts.status, 'filed')))

/** Everything that a line of an account is held against. */
export async function knownOf(db: Db, secrets: Secrets, companyId: number, accountId: string) {
  const owed = await askedOf(db, companyId)
  const items: DueItem[] = owed.map((item) => ({
    id: item.id,
    number: item.number,
    pair: pairKey(item),
    due: item.due,
    open: item.open,
    credited: item.credited,
  }))
  const all = await debitsOfAccount(db, companyId, accountId)
  const debits: DueDebit[] = all
    .filter(({ status }) => status === 'sent')
    .map(({ id, endToEndId, rum, batchId, amount }) => ({ id, endToEndId, rum, batchId, amount }))
  const known: Known = { debits, items, payers: await payersOf(db, secrets, companyId, owed) }
  return {
    known,
    owed: new Map(owed.map((item) => [item.id, item])),
    debits: new Map(all.map((one) => [one.endToEndId, one])),
    returned: await returnWords(db, companyId),
    payouts: await filedPayouts(db, companyId, accountId),
    online: await onlineHeld(db, companyId, accountId),
  }
}
export type KnownOf = Awaited<ReturnType<typeof knownOf>>
