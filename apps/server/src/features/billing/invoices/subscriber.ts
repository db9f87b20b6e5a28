import { INVOICE_KIND_LABELS } from '@voisol/contract/money'
import { formatEuros, formatLongDay, formatPeriod } from '@voisol/documents/number-and-date-formats'
import { and, eq } from 'drizzle-orm'
import { listUserIdsOfParticipant } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { defineSubscriber, type SubscribedEvent } from '../../../events/subscriber.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { notify } from '../../identity/notifications/index.ts'
import { findInvoiceById, type InvoiceRecord } from './load-invoice.ts'

function buildNotificationText({ snapshot }: InvoiceRecord): string {
  const { kind, seller, totals, dueOn, debit } = snapshot
  const about = `${seller.name}, ${formatPeriod(snapshot)}.`
  if (kind === 'statement') return `${about} Il n’y a rien à payer.`
  if (kind === 'creditNote') return `${about} ${formatEuros(totals.gross)} sont déduits de ce que vous devez.`
  if (debit) return `${about} ${formatEuros(totals.gross)} seront prélevés le ${formatLongDay(debit.collectionOn)}.`
  return `${about} ${formatEuros(totals.gross)} à régler au plus tard le ${formatLongDay(dueOn)}.`
}

/** Notifies the buyer in the portal; the organiser sends the mail with the document. */
async function notifyBuyer(tx: Db, deps: Deps, invoice: InvoiceRecord, at: Date) {
  const { companyId, buyerId, snapshot, id } = invoice
  if (!buyerId) return
  const to = await listUserIdsOfParticipant(tx, companyId, buyerId)
  if (!to.length) return
  await notify(tx, deps, {
    companyId,
    at,
    to,
    category: 'billing',
    type: 'info',
    priority: 'normal',
    title: `${INVOICE_KIND_LABELS[snapshot.kind]} ${snapshot.number}`,
    message: buildNotificationText(invoice),
    action: { label: 'Voir le document', url: `/client-portal/invoices?facture=${id}` },
    key: `invoice-issued ${id}`,
  })
}

/** Old documents are no news, and their files are rendered on demand. */
const isOldDocument = (issuedOn: string, at: Date) =>
  Temporal.PlainDate.from(issuedOn).add({ days: 31 }).toString() < at.toISOString().slice(0, 10)

/**
 * Files are made by this subscriber and not when the number is taken: they cannot make an issue fail, and the CLI has
 * no queue.
 */
async function handleInvoiceIssued(
  tx: Db,
  deps: Deps,
  { companyId, at, data: { invoiceId } }: SubscribedEvent<'invoice.issued'>,
) {
  // Reads the date first: when a whole past is imported at once, its documents need not be loaded.
  const [issued] = await tx
    .select({ on: invoices.issuedOn })
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), eq(invoices.id, invoiceId)))
  const invoice = issued && !isOldDocument(issued.on, at) ? await findInvoiceById(tx, companyId, invoiceId) : undefined
  if (!invoice) return
  await enqueue(tx, 'invoice.files', { companyId, invoiceId }, { once: invoiceId })
  await notifyBuyer(tx, deps, invoice, at)
}

export const invoiceSubscriber = defineSubscriber({
  name: 'invoices',
  on: ['invoice.issued'],
  handle: handleInvoiceIssued,
})
