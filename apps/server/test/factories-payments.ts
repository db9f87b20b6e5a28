import type { Db } from '../src/db/client.ts'
import { type PostPaymentInput, postPayment } from '../src/features/money/payments/payments.ts'
import { makeParticipant } from './factories-participants.ts'
import { makeIssuedInvoice, makeSeller } from './factories-parties.ts'

let count = 0

/** A seller and a buyer, with functions for their documents and payments. */
export async function makeSellerAndBuyer(db: Db, { companyId, userId }: { companyId: number; userId?: string }) {
  const seller = await makeSeller(db, { companyId })
  const email = `acheteur${++count}@exemple.fr`
  const buyer = await makeParticipant(db, { companyId, email, ...(userId && { userId }) })
  const pair = { sellerId: seller.id, buyerId: buyer.id, clientSellerId: null }
  /** Its snapshot contains only names. */
  const document = (gross: number, more: Partial<Parameters<typeof makeIssuedInvoice>[1]> = {}) =>
    makeIssuedInvoice(db, {
      companyId,
      ...pair,
      gross,
      net: gross,
      tax: 0,
      snapshot: {
        seller: { id: seller.id, name: seller.name },
        buyer: { id: buyer.id, name: buyer.name },
        operation: { id: more.operationId ?? '', name: 'Les Lilas' },
      },
      ...more,
    })
  const posting = (amount: number, more: Partial<PostPaymentInput> = {}): PostPaymentInput => ({
    ...pair,
    kind: 'receipt',
    amount,
    method: 'transfer',
    bookedOn: '2026-05-04',
    accountId: null,
    source: `test:${++count}`,
    ...more,
  })
  const pay = (amount: number, more: Partial<PostPaymentInput> = {}) =>
    postPayment(db, companyId, posting(amount, more), 'Camille')
  return { seller, buyer, pair, document, posting, pay }
}
