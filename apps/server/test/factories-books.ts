import type { Db } from '../src/db/client.ts'
import { bankAccounts } from '../src/db/schema/index.ts'
import { postPayment } from '../src/features/money/payments/payments.ts'
import type { MonthFixture } from './factories-invoices.ts'

/** A bank account, of its seller unless another owner is given. */
export async function insertBankAccount(db: Db, companyId: number, ownerId: string, kind: 'bank' | 'online' = 'bank') {
  const [row] = await db.insert(bankAccounts).values({ companyId, ownerId, name: 'Compte courant', kind }).returning()
  if (!row) throw new Error('nothing was inserted')
  return row
}

type PostReceiptInput = {
  amount: number
  bookedOn: string
  accountId: string | null
  at?: number
  references?: string[]
  source?: string
}
let count = 0
/** A payment of one buyer of a month to its seller. */
export const postReceipt = (
  db: Db,
  { companyId, seller, people }: MonthFixture,
  { at = 0, ...paid }: PostReceiptInput,
) =>
  postPayment(
    db,
    companyId,
    {
      sellerId: seller.id,
      buyerId: people[at]?.participant.id ?? '',
      clientSellerId: null,
      kind: 'receipt',
      method: 'transfer',
      source: `manual:${++count}`,
      ...paid,
    },
    'Camille',
  )
