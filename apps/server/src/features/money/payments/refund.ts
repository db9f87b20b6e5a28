import type { PaymentMethod } from '@voisol/contract/payment-words'
import { type Db, transaction } from '../../../db/client.ts'
import { payments } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { euros } from '../../../papers/decimals.ts'
import { moneyEntry, openOfAccount, type Pair } from '../invoices/invoices.ts'
import { lockAccounts, readAccount, storeMatches, storeWaiting } from './accounts.ts'
import { findPosted } from './post.ts'

export type Refund = {
  pair: Pair
  amount: number
  of: { creditInvoiceId: string } | { creditPaymentId: string }
  bookedOn: string
  accountId: string | null
  method: PaymentMethod
  source: string
  note?: string
}

/** Pays back what is left of a credit note or of an advance, and never more. */
export const refund = (db: Db, companyId: number, { pair, of, ...order }: Refund, by: string) =>
  transaction(db, async (tx): Promise<{ id: string; already: boolean }> => {
    await lockAccounts(tx, companyId)
    const known = await findPosted(tx, companyId, { ...pair, source: order.source })
    if (known) return { id: known.id, already: true }
    const account = await readAccount(tx, companyId, pair)
    const creditId = 'creditInvoiceId' in of ? of.creditInvoiceId : of.creditPaymentId
    const credit = account.entries.find(({ id, side }) => id === creditId && side === 'credit')
    if (!credit) throw new AppError('not-found')
    const left = openOfAccount(account).get(creditId) ?? 0
    if (order.amount > left)
      throw new AppError('conflict', {
        message: `Rien n’est rendu\u00a0: il reste ${euros(left)} à l’acheteur, et non ${euros(order.amount)}.`,
      })
    await storeWaiting(tx, companyId, account, by)
    const { sellerId, buyerId, clientSellerId } = pair
    const { amount, bookedOn, accountId, method, source, note = '' } = order
    const row = { companyId, id: crypto.randomUUID(), sellerId, buyerId, clientSellerId, kind: 'refund', amount }
    await tx.insert(payments).values({ ...row, bookedOn, accountId, method, source, note, createdBy: by })
    account.entries.push(moneyEntry({ ...row, bookedOn }))
    const closed = { debit: row.id, credit: creditId, amount, undoes: null }
    await storeMatches(tx, companyId, account, { added: [closed], by })
    return { id: row.id, already: false }
  })
