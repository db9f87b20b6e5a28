import { computeOpenAmounts, type NewLedgerMatch } from '@voisol/money/ledger'
import { and, eq, isNotNull, ne } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { bankAccounts, payments } from '../../../db/schema/index.ts'
import {
  computeAccountOpenAmounts,
  isCreditKind,
  listAccountMatches,
  loadPairAccounts,
  type PairAccount,
  type SellerBuyerPair,
} from '../../billing/invoices/index.ts'
import { loadPairAccount } from './post-payment.ts'

export type AccountOpenItem = SellerBuyerPair & {
  id: string
  of: 'invoice' | 'payment'
  side: 'debit' | 'credit'
  /** Number of a document; empty for a payment. */
  number: string
  kind: string
  bookedOn: string
  due: string
  amount: number
  open: number
}

type SortableEntry = { bookedOn: string; of: string; number: string }
/** On the same day documents come before payments. */
const getSortKey = ({ bookedOn, of, number }: SortableEntry) =>
  `${bookedOn} ${of === 'document' || of === 'invoice' ? 0 : 1} ${number}`
const compareByDay = (a: SortableEntry, b: SortableEntry) => (getSortKey(a) < getSortKey(b) ? -1 : 1)

/** With the amount closed by credit notes. */
export type PayableItem = AccountOpenItem & { credited: number }

/** By debit, the amount that credit notes closed. */
function sumCreditedByDebit({ entries }: PairAccount, closed: readonly NewLedgerMatch[]): Map<string, number> {
  const notes = new Set(entries.filter(({ of, side }) => of === 'document' && side === 'credit').map(({ id }) => id))
  const credited = new Map<string, number>()
  for (const { debit, credit, amount } of closed)
    if (notes.has(credit)) credited.set(debit, (credited.get(debit) ?? 0) + amount)
  return credited
}

/** All items of an account, or of all accounts of a seller, with their open amounts, oldest first. */
async function loadAccountItems(
  db: Db,
  companyId: number,
  owner: SellerBuyerPair | { sellerId: string },
): Promise<PayableItem[]> {
  const accounts = await loadPairAccounts(
    db,
    companyId,
    'buyerId' in owner ? { pair: owner } : { sellerId: owner.sellerId },
  )
  return accounts
    .flatMap((account) => {
      const closed = listAccountMatches(account)
      const open = computeOpenAmounts(account.entries, closed)
      const credited = sumCreditedByDebit(account, closed)
      return account.entries.map(({ id, of, side, number, kind, bookedOn, due, amount }) => ({
        ...account.pair,
        id,
        of: of === 'document' ? ('invoice' as const) : ('payment' as const),
        side,
        number: of === 'document' ? number : '',
        kind,
        bookedOn,
        due,
        amount,
        open: open.get(id) ?? 0,
        credited: credited.get(id) ?? 0,
      }))
    })
    .sort(compareByDay)
}

/** Open items of an account, or of all accounts of a seller, oldest first. */
export const loadOpenItems = async (
  db: Db,
  companyId: number,
  owner: SellerBuyerPair | { sellerId: string },
): Promise<AccountOpenItem[]> => (await loadAccountItems(db, companyId, owner)).filter(({ open }) => open > 0)

/** Documents of a seller that can be paid: open ones, and those that a credit note closed since. */
export const loadPayableItems = async (db: Db, companyId: number, sellerId: string): Promise<PayableItem[]> =>
  (await loadAccountItems(db, companyId, { sellerId })).filter(
    ({ of, side, open, credited }) => of === 'invoice' && side === 'debit' && open + credited > 0,
  )

export type AccountMovement = Omit<AccountOpenItem, keyof SellerBuyerPair> & {
  /** What is owed after it. */ balance: number
}

/** Documents and payments of an account by day, with the balance after each. */
export async function loadAccountMovements(
  db: Db,
  companyId: number,
  pair: SellerBuyerPair,
): Promise<AccountMovement[]> {
  const account = await loadPairAccount(db, companyId, pair)
  const open = computeAccountOpenAmounts(account)
  let balance = 0
  return account.entries.toSorted(compareByDay).map(({ id, of, side, number, kind, bookedOn, due, amount }) => {
    balance += side === 'debit' ? amount : -amount
    const about = { id, of: of === 'document' ? ('invoice' as const) : ('payment' as const), side, kind, bookedOn, due }
    return { ...about, number: of === 'document' ? number : '', amount, open: open.get(id) ?? 0, balance }
  })
}

/** A producer, and who holds its money. */
export const getHolderKey = (sellerId: string, holderId: string) => `${sellerId} ${holderId}`
type DayRange = { from?: string; to?: string }
const isInDays = (day: string, { from, to }: DayRange) => (!from || day >= from) && (!to || day < to)

/** By producer and holder: money for the producer on somebody else's account, without returned payments. */
export async function loadCollectedAmounts(
  db: Db,
  companyId: number,
  days: DayRange = {},
): Promise<Map<string, number>> {
  const rows = await db
    .select({
      sellerId: payments.sellerId,
      holderId: bankAccounts.ownerId,
      kind: payments.kind,
      amount: payments.amount,
      bookedOn: payments.bookedOn,
    })
    .from(payments)
    .innerJoin(
      bankAccounts,
      and(eq(bankAccounts.companyId, payments.companyId), eq(bankAccounts.id, payments.accountId)),
    )
    .where(
      and(eq(payments.companyId, companyId), ne(bankAccounts.ownerId, payments.sellerId), isNotNull(payments.buyerId)),
    )
  const sums = new Map<string, number>()
  for (const { sellerId, holderId, kind, amount, bookedOn } of rows) {
    const key = getHolderKey(sellerId, holderId)
    // A pair with money on other days only is included with zero.
    const counted = isInDays(bookedOn, days) ? (isCreditKind(kind) ? amount : -amount) : 0
    sums.set(key, (sums.get(key) ?? 0) + counted)
  }
  return sums
}
