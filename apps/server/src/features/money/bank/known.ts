import type { DueDebit, DueItem, MatchCandidates, Payer } from '@voisol/money/match'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { mandates, participants, payouts, sellers } from '../../../db/schema/index.ts'
import type { Secrets } from '../../../secrets.ts'
import { decryptIban } from '../../energy/participants/participants.ts'
import { loadDebitsOfAccount, loadReturnDescriber } from '../debits/debits.ts'
import { computeIbanFingerprint } from '../mandates/mandates.ts'
import { loadBuyers, loadSellers } from '../parties/parties.ts'
import {
  type AccountOpenItem,
  loadOpenItems,
  loadPayableItems,
  type PayableItem,
  type SellerBuyerPair,
} from '../payments/payments.ts'
import { loadProviderBalances } from './online-held.ts'

export const getPairKey = ({ sellerId, buyerId, clientSellerId }: SellerBuyerPair) =>
  `${sellerId} ${buyerId ?? clientSellerId}`

/** What buyers owe in a company. Only documents: they alone have a number that a payment can quote. */
export async function loadOwedItems(db: Db, companyId: number): Promise<AccountOpenItem[]> {
  const all: AccountOpenItem[] = []
  for (const { id } of await loadSellers(db, companyId))
    all.push(...(await loadOpenItems(db, companyId, { sellerId: id })))
  return all.filter(({ of, side }) => of === 'invoice' && side === 'debit')
}

/**
 * Includes documents that a credit note has closed since: a buyer who pays from the original invoice may not know of
 * it.
 */
async function loadAllPayableItems(db: Db, companyId: number): Promise<PayableItem[]> {
  const all: PayableItem[] = []
  for (const { id } of await loadSellers(db, companyId)) all.push(...(await loadPayableItems(db, companyId, id)))
  return all
}

/** Accounts that already paid for a buyer: earlier decisions of a person are reused. */
async function loadLearntFingerprints(db: Db, companyId: number): Promise<Map<string, Set<string>>> {
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

async function loadAccountsOfBuyers(db: Db, secrets: Secrets, companyId: number) {
  const rows = await db
    .select({ id: mandates.participantId, print: mandates.ibanPrint, holder: mandates.holder })
    .from(mandates)
    .where(eq(mandates.companyId, companyId))
  const participantRows = await db
    .select({ companyId: participants.companyId, id: participants.id, iban: participants.iban })
    .from(participants)
    .where(and(eq(participants.companyId, companyId), isNotNull(participants.iban)))
  const own = participantRows.flatMap((sheet) => {
    const iban = decryptIban(secrets, sheet)
    return iban ? [{ id: sheet.id, print: computeIbanFingerprint(secrets, iban), holder: '' }] : []
  })
  return Map.groupBy([...rows, ...own], ({ id }) => id)
}

/** Who may have paid the open items, by their known bank accounts and names. */
async function loadPayers(db: Db, secrets: Secrets, companyId: number, items: AccountOpenItem[]): Promise<Payer[]> {
  const learnt = await loadLearntFingerprints(db, companyId)
  const accounts = await loadAccountsOfBuyers(db, secrets, companyId)
  const pairs = new Map(items.map((item) => [getPairKey(item), item]))
  const ids = [...pairs.values()].flatMap(({ buyerId }) => (buyerId ? [buyerId] : []))
  const buyers = await loadBuyers(db, companyId, [...new Set(ids)])
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

/** Payouts to producers whose file was sent to the bank and that no bank line has confirmed yet. */
const loadFiledPayouts = (db: Db, companyId: number, accountId: string) =>
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

/** Everything that the lines of an account are compared with. */
export async function loadMatchingData(db: Db, secrets: Secrets, companyId: number, accountId: string) {
  const owed = await loadAllPayableItems(db, companyId)
  const items: DueItem[] = owed.map((item) => ({
    id: item.id,
    number: item.number,
    pair: getPairKey(item),
    due: item.due,
    open: item.open,
    credited: item.credited,
  }))
  const all = await loadDebitsOfAccount(db, companyId, accountId)
  const debits: DueDebit[] = all
    .filter(({ status }) => status === 'sent')
    .map(({ id, endToEndId, rum, batchId, amount }) => ({ id, endToEndId, rum, batchId, amount }))
  const known: MatchCandidates = { debits, items, payers: await loadPayers(db, secrets, companyId, owed) }
  return {
    known,
    owed: new Map(owed.map((item) => [item.id, item])),
    debits: new Map(all.map((one) => [one.endToEndId, one])),
    returned: await loadReturnDescriber(db, companyId),
    payouts: await loadFiledPayouts(db, companyId, accountId),
    online: await loadProviderBalances(db, companyId, accountId),
  }
}
export type MatchingData = Awaited<ReturnType<typeof loadMatchingData>>
