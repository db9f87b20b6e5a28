import { and, eq } from 'drizzle-orm'
import { scopeToCompany, transaction } from '../../../db/client.ts'
import { onlinePayments } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { loadOpenAmounts } from '../invoices/invoices.ts'
import { processNotice } from './hear.ts'
import { createClientOfProvider, loadProvider } from './providers.ts'

/**
 * Closes an open payment page of an invoice paid otherwise, since it could take the money twice, and processes the
 * provider's answer.
 */
export async function closePaidCheckout(
  deps: Deps,
  { companyId, id }: { companyId: number; id: string },
): Promise<void> {
  const db = scopeToCompany(deps.db, companyId)
  const [row] = await db
    .select()
    .from(onlinePayments)
    .where(and(eq(onlinePayments.companyId, companyId), eq(onlinePayments.id, id)))
  if (row?.state !== 'open') return
  const open = (await loadOpenAmounts(db, companyId)).get(row.invoiceId) ?? 0
  if (open === row.amount) return
  const provider = await loadProvider(db, companyId, row.providerId)
  const client = createClientOfProvider(deps, provider)
  await client.closeCheckout(row.checkoutId).catch(() => {})
  for (const notice of await client.fetch(row.checkoutId))
    await transaction(db, (tx) => processNotice(tx, provider, notice))
}
