import { and, eq } from 'drizzle-orm'
import { type Heard, subscriber } from '../../../core/subscriber.ts'
import type { Db } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { lockAccounts, readAccount, storeWaiting } from './accounts.ts'

/** A credit note that was issued, or an advance that waited for an invoice: what was shown so far is now stored. */
async function hear(tx: Db, _: Deps, { companyId, data: { invoiceId, kind } }: Heard<'invoice.issued'>) {
  if (kind === 'statement') return
  const [pair] = await tx
    .select({ sellerId: invoices.sellerId, buyerId: invoices.buyerId, clientSellerId: invoices.clientSellerId })
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), eq(invoices.id, invoiceId)))
  if (!pair) return
  await lockAccounts(tx, companyId)
  await storeWaiting(tx, companyId, await readAccount(tx, companyId, pair), '')
}

export const paymentSubscriber = subscriber({ name: 'payments', on: ['invoice.issued'], handle: hear })
