import { type NewMatch, openOf } from '@voisol/money/ledger'
import type { Db } from '../../../db/client.ts'
import { matchesOfAccount, openOfAccount, type Pair, type PairAccount, readAccounts } from '../invoices/invoices.ts'
import { readAccount } from './accounts.ts'

export type OpenItem = Pair & {
  id: string
  of: 'invoice' | 'payment'
  side: 'debit' | 'credit'
  /** Of a document; empty for a payment. */
  number: string
  kind: string
  bookedOn: string
  due: string
  amount: number
  open: number
}

type Placed = { bookedOn: string; of: string; number: string }
/** Of one day the documents first: money answers them. */
const placeOf = ({ bookedOn, of, number }: Placed) =>
  `${bookedOn} ${of === 'document' || of === 'invoice' ? 0 : 1} ${number}`
const byDay = (a: Placed, b: Placed) => (placeOf(a) < placeOf(b) ? -1 : 1)

/** With what credit notes took off it. */
export type AskedItem = OpenItem & { credited: number }

/** By debit: what documents in its buyer's favour closed of it. */
function creditedOf({ entries }: PairAccount, closed: readonly NewMatch[]): Map<string, number> {
  const notes = new Set(entries.filter(({ of, side }) => of === 'document' && side === 'credit').map(({ id }) => id))
  const credited = new Map<string, number>()
  for (const { debit, credit, amount } of closed)
    if (notes.has(credit)) credited.set(debit, (credited.get(debit) ?? 0) + amount)
  return credited
}

/** All that stands on an account, or on all of a seller's, with what is left of it, the oldest first. */
async function itemsOf(db: Db, companyId: number, whose: Pair | { sellerId: string }): Promise<AskedItem[]> {
  const accounts = await readAccounts(
    db,
    companyId,
    'buyerId' in whose ? { pair: whose } : { sellerId: whose.sellerId },
  )
  return accounts
    .flatMap((account) => {
      const closed = matchesOfAccount(account)
      const open = openOf(account.entries, closed)
      const credited = creditedOf(account, closed)
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
    .sort(byDay)
}

/** What is open on an account, or on all of a seller's, the oldest first. */
export const openItems = async (db: Db, companyId: number, whose: Pair | { sellerId: string }): Promise<OpenItem[]> =>
  (await itemsOf(db, companyId, whose)).filter(({ open }) => open > 0)

/** Documents of a seller that its buyers may pay: what is open, and what a credit note has closed meanwhile. */
export const askedItems = async (db: Db, companyId: number, sellerId: string): Promise<AskedItem[]> =>
  (await itemsOf(db, companyId, { sellerId })).filter(
    ({ of, side, open, credited }) => of === 'invoice' && side === 'debit' && open + credited > 0,
  )

export type Movement = Omit<OpenItem, keyof Pair> & { /** What is owed after it. */ balance: number }

/** Documents and payments of an account in the order of their days, with what is owed after each. */
export async function accountOf(db: Db, companyId: number, pair: Pair): Promise<Movement[]> {
  const account = await readAccount(db, companyId, pair)
  const open = openOfAccount(account)
  let balance = 0
  return account.entries.toSorted(byDay).map(({ id, of, side, number, kind, bookedOn, due, amount }) => {
    balance += side === 'debit' ? amount : -amount
    const about = { id, of: of === 'document' ? ('invoice' as const) : ('payment' as const), side, kind, bookedOn, due }
    return { ...about, number: of === 'document' ? number : '', amount, open: open.get(id) ?? 0, balance }
  })
}
