import type { Db } from '../../../db/client.ts'
import { openOfAccount, type Pair, readAccounts } from '../invoices/invoices.ts'
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

/** What is open on an account, or on all of a seller's, the oldest first. */
export async function openItems(db: Db, companyId: number, whose: Pair | { sellerId: string }): Promise<OpenItem[]> {
  const accounts = await readAccounts(
    db,
    companyId,
    'buyerId' in whose ? { pair: whose } : { sellerId: whose.sellerId },
  )
  return accounts
    .flatMap((account) => {
      const open = openOfAccount(account)
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
      }))
    })
    .filter((item) => item.open > 0)
    .sort(byDay)
}

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
