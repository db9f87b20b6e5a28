import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { payments } from '../../../db/schema/index.ts'

/** The payment source of fees set off with a payout. */
export const buildSetOffSource = (payoutId: string) => `payout:${payoutId}`

export async function findSetOffPaymentId(tx: Db, companyId: number, payoutId: string): Promise<string | undefined> {
  const [row] = await tx
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.companyId, companyId), eq(payments.source, buildSetOffSource(payoutId))))
  return row?.id
}
