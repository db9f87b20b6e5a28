import { and, eq, inArray, isNull } from 'drizzle-orm'
import { loadSiteOwnerId, NO_SITE_OWNER } from '../../../core/site-company.ts'
import type { Db } from '../../../db/client.ts'
import { invoices, subscriptionBuyers, subscriptionInvoices } from '../../../db/schema/index.ts'
import { type InvoiceRecord, toInvoiceRecord } from '../../money/invoices/invoices.ts'

/** The customer record under which the installation operator invoices a company. */
export async function findSubscriptionBuyerId(
  db: Db,
  siteOwnerId: number,
  companyId: number,
): Promise<string | undefined> {
  const [row] = await db
    .select({ id: subscriptionBuyers.participantId })
    .from(subscriptionBuyers)
    .where(and(eq(subscriptionBuyers.companyId, siteOwnerId), eq(subscriptionBuyers.subscriberCompanyId, companyId)))
  return row?.id
}

/**
 * The documents that the installation operator issued to a company for its subscription. The linking rows belong to the
 * company and may come from an imported backup: only a document sold by the operator to this very company, and for no
 * operation, is accepted.
 */
export async function loadSubscriptionDocuments(
  db: Db,
  companyId: number,
  kind?: 'plan' | 'addOn' | 'credit',
): Promise<InvoiceRecord[]> {
  const siteOwnerId = await loadSiteOwnerId(db)
  const buyerId = siteOwnerId === NO_SITE_OWNER ? undefined : await findSubscriptionBuyerId(db, siteOwnerId, companyId)
  if (!buyerId) return []
  const references = await db
    .select({ id: subscriptionInvoices.invoiceId })
    .from(subscriptionInvoices)
    .where(
      and(
        eq(subscriptionInvoices.companyId, companyId),
        eq(subscriptionInvoices.sellerCompanyId, siteOwnerId),
        kind && eq(subscriptionInvoices.kind, kind),
      ),
    )
  if (!references.length) return []
  const ids = references.map(({ id }) => id)
  const sold = and(eq(invoices.companyId, siteOwnerId), eq(invoices.buyerId, buyerId), isNull(invoices.operationId))
  const rows = await db
    .select()
    .from(invoices)
    .where(and(sold, inArray(invoices.id, ids)))
  return rows
    .map(toInvoiceRecord)
    .sort((a, b) => (a.issuedOn === b.issuedOn ? a.position - b.position : a.issuedOn < b.issuedOn ? -1 : 1))
}
