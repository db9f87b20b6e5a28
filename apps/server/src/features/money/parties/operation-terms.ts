import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { operationBilling } from '../../../db/schema/index.ts'

export type OperationTerms = typeof operationBilling.$inferSelect

/** How an operation is billed; one of which nothing was said is billed each month. */
export async function termsOf(db: Db, companyId: number, operationId: string): Promise<OperationTerms> {
  const [row] = await db
    .select()
    .from(operationBilling)
    .where(and(eq(operationBilling.companyId, companyId), eq(operationBilling.operationId, operationId)))
  return (
    row ?? {
      companyId,
      operationId,
      patrimonial: false,
      monthsPerInvoice: 1,
      organiserId: null,
      supplierPrice: null,
      surplusPrice: null,
      version: 0,
    }
  )
}
