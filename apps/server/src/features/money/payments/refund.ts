import type { PaymentMethod } from '@voisol/contract/payment-words'
import { type Db, transaction } from '../../../db/client.ts'
import { payments } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { formatEuros } from '../../../papers/decimals.ts'
import { computeAccountOpenAmounts, type SellerBuyerPair, toMoneyEntry } from '../invoices/invoices.ts'
import { loadPairAccount, lockAccounts, storeMatches, storePendingSetOffs } from './accounts.ts'
import { findPostedPayment } from './post.ts'

export type RefundCreditInput = {
  pair: SellerBuyerPair
  amount: number
  of: { creditInvoiceId: string } | { creditPaymentId: string }
  bookedOn: string
  accountId: string | null
  method: PaymentMethod
  source: string
  note?: string
}

/** Refunds the rest of a credit note or advance, and never more. */
export const refundCredit = (db: Db, companyId: number, { pair, of, ...order }: RefundCreditInput, by: string) =>
  transaction(db, async (tx): Promise<{ id: string; already: boolean }> => {
    await lockAccounts(tx, companyId)
    const known = await findPostedPayment(tx, companyId, { ...pair, source: order.source })
    if (known) return { id: known.id, already: true }
    const account = await loadPairAccount(tx, companyId, pair)
    const creditId = 'creditInvoiceId' in of ? of.creditInvoiceId : of.creditPaymentId
    const credit = account.entries.find(({ id, side }) => id === creditId && side === 'credit')
    if (!credit) throw new AppError('not-found')
    const left = computeAccountOpenAmounts(account).get(creditId) ?? 0
    if (order.amount > left)
      throw new AppError('conflict', {
        message: `Rien n’est rendu\u00a0: il reste ${formatEuros(left)} à l’acheteur, et non ${formatEuros(order.amount)}.`,
      })
    await storePendingSetOffs(tx, companyId, account, by)
    const { sellerId, buyerId, clientSellerId } = pair
    const { amount, bookedOn, accountId, method, source, note = '' } = order
    const row = { companyId, id: crypto.randomUUID(), sellerId, buyerId, clientSellerId, kind: 'refund', amount }
    await tx.insert(payments).values({ ...row, bookedOn, accountId, method, source, note, createdBy: by })
    account.entries.push(toMoneyEntry({ ...row, bookedOn }))
    const closed = { debit: row.id, credit: creditId, amount, undoes: null }
    await storeMatches(tx, companyId, account, { added: [closed], by })
    return { id: row.id, already: false }
  })
