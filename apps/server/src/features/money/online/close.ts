import { and, eq } from 'drizzle-orm'
import { forCompany, transaction } from '../../../db/client.ts'
import { onlinePayments } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { readOpen } from '../invoices/invoices.ts'
import { hear } from './hear.ts'
import { connect, providerOf } from './providers.ts'

/** A page that is still open would take what was paid otherwise: it is closed, and what the provider tells of it is heard. */
export async function closePaid(deps: Deps, { companyId, id }: { companyId: number; id: string }): Promise<void> {
  const db = forCompany(deps.db, companyId)
  const [row] = await db
    .select()
    .from(onlinePayments)
    .where(and(eq(onlinePayments.companyId, companyId), eq(onlinePayments.id, id)))
  if (row?.state !== 'open') return
  const open = (await readOpen(db, companyId)).get(row.invoiceId) ?? 0
  if (open === row.amount) return
  const provider = await providerOf(db, companyId, row.providerId)
  const at = connect(deps, provider)
  await at.closeCheckout(row.checkoutId).catch(() => {})
  for (const notice of await at.fetch(row.checkoutId)) await transaction(db, (tx) => hear(tx, provider, notice))
}
