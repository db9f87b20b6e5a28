import { and, asc, eq, or, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { payments } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { formatEuros } from '../../../papers/decimals.ts'
import { toParisDay } from '../../../today.ts'
import { findInvoiceById } from '../invoices/invoices.ts'
import { postPayment, reversePayment } from '../payments/payments.ts'
import type { OnlinePaymentRow } from './hear.ts'
import type { ProviderRow } from './providers.ts'
import type { OnlinePaymentStatus } from './standing.ts'

export const ONLINE_PAYMENT_LABEL = 'Paiement en ligne'

/** The receipts of a payment intent, the first and its replacements; at most one is in force. */
async function loadReceipts(tx: Db, companyId: number, source: string) {
  const own = or(eq(payments.source, source), sql`starts_with(${payments.source}, ${`${source}#`})`)
  // Table names are written out: in a query on one table columns have no prefix, and would refer to the inner table.
  const back = sql<boolean>`exists (select 1 from payments b
    where b.company_id = payments.company_id and b.reverses_id = payments.id)`
  return tx
    .select({ id: payments.id, amount: payments.amount, bookedOn: payments.bookedOn, back })
    .from(payments)
    .where(and(eq(payments.companyId, companyId), eq(payments.kind, 'receipt'), own))
    .orderBy(asc(payments.createdAt))
}

/**
 * Adjusts the account to what the provider holds: the receipt in force is the rest of the payment. When that changed,
 * the receipt is reversed whole, which reopens what it had closed, and the rest is received again.
 */
export async function syncReceipts(
  tx: Db,
  provider: ProviderRow,
  payment: OnlinePaymentRow,
  { net, at }: OnlinePaymentStatus,
) {
  if (!at || !payment.intentId) return
  const { companyId } = payment
  const source = `online:${payment.intentId}`
  const receipts = await loadReceipts(tx, companyId, source)
  const currentReceipt = receipts.find(({ back }) => !back)
  if ((currentReceipt?.amount ?? 0) === net) return
  const bookedOn = toParisDay(at)
  if (currentReceipt) {
    const note = `${ONLINE_PAYMENT_LABEL} repris\u00a0: il en reste ${formatEuros(net)}.`
    const order = { paymentId: currentReceipt.id, kind: 'return' as const, bookedOn, note }
    await reversePayment(tx, companyId, { ...order, source: `${source}:back${receipts.length}` }, ONLINE_PAYMENT_LABEL)
  }
  if (net === 0) return
  const invoice = await findInvoiceById(tx, companyId, payment.invoiceId)
  if (!invoice) throw new AppError('internal')
  const { sellerId, buyerId, clientSellerId, number } = invoice
  const pair = { sellerId, buyerId, clientSellerId }
  await postPayment(
    tx,
    companyId,
    {
      ...pair,
      kind: 'receipt',
      amount: net,
      method: payment.method === 'card' ? 'card' : 'onlineDebit',
      bookedOn,
      accountId: provider.accountId,
      source: receipts.length ? `${source}#${receipts.length}` : source,
      references: [number],
    },
    ONLINE_PAYMENT_LABEL,
  )
}
