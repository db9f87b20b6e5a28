import { Channel } from '@voisol/contract/invoice-views'
import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { addDeliveryStep, loadLastDeliveryState } from './deliveries.ts'
import { formatDocumentTitle } from './explain.ts'
import { findInvoiceById, type InvoiceRecord } from './find.ts'
import { loadBillingEmail } from './mail.ts'
import { requireXml } from './papers.ts'
import { NO_PLATFORM_MESSAGE } from './platform.ts'

/** The sender's choice, or the channel the buyer asked for. */
const chooseChannel = ({ snapshot }: InvoiceRecord, requested: Channel | undefined): Channel =>
  requested ?? Channel.safeParse(snapshot.buyer.delivery).data ?? 'mail'

export const NO_ADDRESS_MESSAGE = 'l’acheteur n’a pas d’adresse e-mail de facturation.'

/**
 * Starts the delivery of a document: a mail leaves after the commit, the portal shows it at once, Chorus waits for a
 * person.
 */
export async function sendDocument(
  tx: Db,
  invoice: InvoiceRecord,
  {
    by,
    channel: requestedChannel,
    platform = false,
  }: { by: string; channel?: Channel | undefined; platform?: boolean },
) {
  const channel = chooseChannel(invoice, requestedChannel)
  if (channel === 'portal') return addDeliveryStep(tx, invoice, { channel, state: 'sent', detail: 'disponible', by })
  if (channel === 'chorus')
    return addDeliveryStep(tx, invoice, { channel, state: 'waiting', detail: 'fichier à déposer sur Chorus Pro', by })
  if (channel === 'pa') return sendToPlatform(tx, invoice, by, platform)
  const to = await loadBillingEmail(tx, invoice)
  if (!to)
    throw new AppError('conflict', {
      message: `${formatDocumentTitle(invoice.snapshot)} ne peut pas partir par e-mail\u00a0: ${NO_ADDRESS_MESSAGE}`,
    })
  const deliveryId = crypto.randomUUID()
  await addDeliveryStep(tx, invoice, { id: deliveryId, channel, state: 'waiting', detail: to, by })
  await enqueue(tx, 'invoice.mail', { companyId: invoice.companyId, invoiceId: invoice.id, deliveryId })
}

/** A job deposits the file; its state comes back later. */
async function sendToPlatform(tx: Db, invoice: InvoiceRecord, by: string, platform: boolean) {
  if (!platform)
    throw new AppError('conflict', {
      message: `${formatDocumentTitle(invoice.snapshot)} ne peut pas partir\u00a0: ${NO_PLATFORM_MESSAGE}`,
    })
  requireXml(invoice)
  const deliveryId = crypto.randomUUID()
  await addDeliveryStep(tx, invoice, { id: deliveryId, channel: 'pa', state: 'waiting', detail: '', by })
  await enqueue(tx, 'invoice.platform', { companyId: invoice.companyId, invoiceId: invoice.id, deliveryId })
}

type SendDocumentsInput = { companyId: number; ids: string[]; by: string; platform?: boolean }

/** One message per buyer of an operation, whoever the sellers are. */
async function sendMails(tx: Db, invoices: readonly InvoiceRecord[], { companyId, by }: SendDocumentsInput) {
  const groups = Map.groupBy(invoices, ({ operationId, buyerId }) => `${operationId} ${buyerId}`)
  for (const group of groups.values()) {
    const items: { invoiceId: string; deliveryId: string }[] = []
    for (const invoice of group) {
      const deliveryId = crypto.randomUUID()
      const detail = await loadBillingEmail(tx, invoice)
      await addDeliveryStep(tx, invoice, { id: deliveryId, channel: 'mail', state: 'waiting', detail, by })
      items.push({ invoiceId: invoice.id, deliveryId })
    }
    await enqueue(tx, 'invoice.mails', { companyId, items })
  }
  return groups.size
}

/** What prevents sending a document by its buyer's channel; nothing when it can be sent. */
async function findSendObstacle(tx: Db, invoice: InvoiceRecord, channel: Channel, platform: boolean) {
  if (channel === 'mail') return (await loadBillingEmail(tx, invoice)) ? undefined : NO_ADDRESS_MESSAGE
  return channel === 'pa' && !platform ? NO_PLATFORM_MESSAGE : undefined
}

/** Sends several documents by their buyers' channels; a failure is reported and does not stop the others. */
export async function sendDocuments(tx: Db, batch: SendDocumentsInput) {
  const { companyId, ids, by, platform = false } = batch
  const mailed: InvoiceRecord[] = []
  const counts = { sent: 0, failed: 0 }
  for (const id of ids) {
    const invoice = await findInvoiceById(tx, companyId, id)
    if (!invoice) continue
    const channel = chooseChannel(invoice, undefined)
    const obstacle = await findSendObstacle(tx, invoice, channel, platform)
    if (obstacle) {
      // Recorded once: a second attempt that still fails adds nothing.
      if ((await loadLastDeliveryState(tx, invoice, channel)) !== 'failed')
        await addDeliveryStep(tx, invoice, { channel, state: 'failed', detail: obstacle, by })
      counts.failed++
      continue
    }
    if (channel === 'mail') mailed.push(invoice)
    else await sendDocument(tx, invoice, { by, platform })
    counts.sent++
  }
  return { ...counts, mails: await sendMails(tx, mailed, batch) }
}
