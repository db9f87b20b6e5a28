import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { payments } from '../../../db/schema/index.ts'

/** What the fees set off with a payout are posted from. */
export const setOffOf = (payoutId: string) => `payout:${payoutId}`

export async function setOffPayment(tx: Db, companyId: number, payoutId: string): Promise<string | undefined> {
  const [row] = await tx
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.companyId, companyId), eq(payments.source, setOffOf(payoutId))))
  return row?.id
}
