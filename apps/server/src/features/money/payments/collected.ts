import { and, eq, isNotNull, ne } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { bankAccounts, payments } from '../../../db/schema/index.ts'
import { isCreditKind } from '../invoices/invoices.ts'

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
