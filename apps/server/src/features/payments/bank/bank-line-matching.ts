import {
  type BankLine,
  type BankLineMatch,
  createBankLineMatcher,
  type DueDebit,
  type DueItem,
  type MatchCandidates,
  normalizeReference,
  type Payer,
} from '@voisol/money/bank-matching'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { type bankLines, mandates, participants, payouts, sellers } from '../../../db/schema/index.ts'
import type { Secrets } from '../../../secrets.ts'
import { loadBuyers, loadSellers } from '../../billing/parties/index.ts'
import { decryptIban } from '../../energy/participants/index.ts'
import { loadDebitsOfAccount, loadReturnDescriber } from '../direct-debits/index.ts'
import { computeIbanFingerprint } from '../mandates/index.ts'
import { type AccountOpenItem, loadPayableItems, type PayableItem, type SellerBuyerPair } from '../payments/index.ts'

/**
 * What a payment provider holds for the owner of a bank account: its payments in order, and what it already paid out.
 */
type ProviderBalance = { accountId: string; payments: { day: string; cents: number }[]; out: number }

type Row = { id: string; payments: { day: string; cents: number }[] | null; out: string }

/**
 * Payments received and refunded through each provider of the account's owner, and the total its bank lines have paid
 * out.
 */
async function loadProviderBalances(db: Db, companyId: number, accountId: string): Promise<ProviderBalance[]> {
  const { rows } = await db.execute<Row>(sql`
    select o.id,
           (select json_agg(json_build_object('day', p.booked_on, 'cents',
                     case when p.kind in ('receipt') then p.amount else -p.amount end) order by p.booked_on, p.created_at, p.id)
              from payments p where p.company_id = o.company_id and p.account_id = o.id) as payments,
           (select coalesce(sum(l.amount + l.charge), 0) from bank_lines l
             where l.company_id = o.company_id and l.online_account_id = o.id and l.status = 'posted') as out
      from bank_accounts a join bank_accounts o on o.company_id = a.company_id and o.owner_id = a.owner_id and o.kind = 'online'
     where a.company_id = ${companyId} and a.id = ${accountId}
     order by o.created_at, o.id`)
  return rows.map(({ id, payments, out }) => ({ accountId: id, payments: payments ?? [], out: Number(out) }))
}

type MatchedProviderPayout = { onlineAccountId: string; payments: number; kept: number }

/** Providers keep a percentage of each payment and a few cents; a larger difference is not a fee. */
const MAX_FEE_PERCENT = 6
const MAX_FIXED_FEE_CENTS = 50

/** How many of the oldest payments held by the provider this line pays out, and the fee that was kept. */
function matchProviderPayout(
  line: Pick<BankLineRow, 'amount' | 'bookedOn'>,
  { accountId, payments, out }: ProviderBalance,
): MatchedProviderPayout | null {
  let [sum, since] = [-out, 0]
  for (const { day, cents } of payments) {
    if (day > line.bookedOn) return null
    sum += cents
    // Payments that were paid out before this line do not count.
    since = sum > 0 ? since + 1 : 0
    if (sum < line.amount) continue
    const fee = sum - line.amount
    return fee * 100 <= sum * MAX_FEE_PERCENT + since * MAX_FIXED_FEE_CENTS * 100
      ? { onlineAccountId: accountId, payments: since, kept: fee }
      : null
  }
  return null
}

/** The provider's payout that a bank line matches, or null if the amounts do not add up. */
function findProviderPayout(line: BankLineRow, balances: readonly ProviderBalance[]): MatchedProviderPayout | null {
  if (!/stripe/i.test(`${line.party} ${line.label} ${line.reference}`) || line.charge > 0) return null
  return balances.map((one) => matchProviderPayout(line, one)).find((one) => one !== null) ?? null
}

export const getPairKey = ({ sellerId, buyerId, clientSellerId }: SellerBuyerPair) =>
  `${sellerId} ${buyerId ?? clientSellerId}`

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

export type BankLineRow = typeof bankLines.$inferSelect
/** What a bank line stands for: a payment, a returned debit, payouts that were sent, or a provider's payout. */
export type LineMatch =
  | { kind: 'paid'; found: BankLineMatch }
  | { kind: 'returned'; debitId: string; certain: boolean }
  | { kind: 'sent'; payoutIds: string[] }
  | { kind: 'online'; out: MatchedProviderPayout }

const toBankLine = (row: BankLineRow): BankLine => ({
  id: row.id,
  amount: row.amount,
  endToEndId: row.endToEndId,
  rum: row.rum,
  batchId: row.batchId,
  text: `${row.label} ${row.reference}`,
  account: row.partyPrint,
  name: row.party,
})

/** Money that left under the end-to-end id of one of our debits: the debit came back, possibly with the bank's fee. */
function matchReturnedDebit(row: BankLineRow, debits: MatchingData['debits']): LineMatch | null {
  const debit = row.endToEndId ? debits.get(row.endToEndId) : undefined
  if (!debit || debit.status === 'planned' || debit.status === 'cancelled') return null
  return { kind: 'returned', debitId: debit.id, certain: -row.amount - row.charge === debit.amount }
}

/** Transfers to producers that left the account: one by its end-to-end id, or a whole file by the file's batch id. */
function matchPayouts(row: BankLineRow, payouts: MatchingData['payouts']): LineMatch | null {
  const text = normalizeReference(`${row.endToEndId} ${row.batchId} ${row.label} ${row.reference}`)
  const one = payouts.filter(
    ({ endToEndId, amount }) => amount === -row.amount && text.includes(normalizeReference(endToEndId)),
  )
  if (one.length === 1) return { kind: 'sent', payoutIds: one.map(({ id }) => id) }
  for (const [messageId, own] of Map.groupBy(payouts, (payout) => payout.messageId)) {
    const total = own.reduce((sum, { amount }) => sum + amount, 0)
    if (messageId && total === -row.amount && text.includes(normalizeReference(messageId)))
      return { kind: 'sent', payoutIds: own.map(({ id }) => id) }
  }
  return null
}

/** Whether a match is exact enough to be posted without a person's confirmation. */
export const isCertainMatch = (match: LineMatch): boolean => {
  if (match.kind === 'sent') return true
  if (match.kind === 'online') return false
  return match.kind === 'returned' ? match.certain : match.found.certain
}

/** Builds the matcher once so that many lines can share its indexes. */
export function createLineMatcher({
  known,
  debits,
  payouts,
  online,
}: MatchingData): (row: BankLineRow) => LineMatch | null {
  const find = createBankLineMatcher(known)
  return (row) => {
    if (row.amount < 0) return matchReturnedDebit(row, debits) ?? matchPayouts(row, payouts)
    const found = find(toBankLine(row))
    if (found) return { kind: 'paid', found }
    const out = findProviderPayout(row, online)
    return out && { kind: 'online', out }
  }
}

const MATCH_STEP_LABELS: Record<number, string> = {
  1: 'Référence de prélèvement',
  2: 'Mandat et montant',
  3: 'Numéro de facture dans le libellé',
  4: 'Compte connu et montant',
  5: 'Nom et montant',
}
/** The label of the matching step that found the documents. */
export const getMatchStepLabel = (step: number) => MATCH_STEP_LABELS[step] ?? ''
export { normalizeReference }
