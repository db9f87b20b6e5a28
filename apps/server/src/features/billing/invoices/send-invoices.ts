import { createHash } from 'node:crypto'
import { Channel, DeliveryReport } from '@voisol/contract/invoice-views'
import { and, eq } from 'drizzle-orm'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { PermanentJobError, toStableId } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { addDeliveryStep, loadLastDeliveryState, recordDeliveryState } from './deliveries.ts'
import { buildDocumentFileName, loadDocumentFile, requireXml } from './document-files.ts'
import { formatDocumentTitle } from './explain-document.ts'
import { loadBillingEmail } from './invoice-mail.ts'
import { findInvoiceById, type InvoiceRecord } from './load-invoice.ts'

const NO_PLATFORM_MESSAGE =
  'aucune plateforme agréée n’est reliée à ce serveur (INVOICE_PLATFORM_FOLDER)\u00a0: envoyez la facture par e-mail, ou déposez-la vous-même.'

/** Deposits the Factur-X file with the platform; running it again writes the same file under the same name. */
export async function depositDocument(deps: Deps, invoice: InvoiceRecord, deliveryId: string): Promise<void> {
  if (!deps.platform) throw new PermanentJobError('no platform is configured')
  const content = await loadDocumentFile(deps, invoice, 'pdf')
  await deps.platform.deposit(invoice.companyId, { name: buildDocumentFileName(invoice.snapshot, 'pdf'), content })
  const id = toStableId(`invoice platform ${deliveryId}`)
  await addDeliveryStep(deps.db, invoice, { id, channel: 'pa', state: 'deposited', detail: '', by: '' })
}

type AnswerLine = { number: string; word: unknown }
const STATE_BY_LABEL: Record<string, string> = {
  depose: 'deposited',
  'mis a disposition': 'available',
  rejete: 'rejected',
  refuse: 'rejected',
  paye: 'paid',
  'mis en paiement': 'paid',
}
const normalizeText = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase()

/** « numero;etat;motif », one document per line; a fourth column may say « chorus ». */
function parseAnswerLines(text: string): AnswerLine[] {
  const rows = text.replace(/^\ufeff/, '').split(/\r?\n/)
  return rows
    .map((row) => row.split(';').map((cell) => cell.trim()))
    .filter(([number = '']) => number && normalizeText(number) !== 'numero')
    .map(([number = '', state = '', detail = '', channel = '']) => ({
      number,
      word: {
        channel: normalizeText(channel) === 'chorus' ? 'chorus' : 'pa',
        state: STATE_BY_LABEL[normalizeText(state)] ?? state,
        detail,
      },
    }))
}

/** Imports a file of states, entirely or not at all. */
async function importAnswerFile(deps: Deps, companyId: number, name: string, text: string) {
  const file = createHash('sha256').update(text).digest('hex')
  await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
    for (const [at, { number, word }] of parseAnswerLines(text).entries()) {
      const place = `${name}, ligne ${at + 1}`
      const read = DeliveryReport.safeParse(word)
      if (!read.success)
        throw new AppError('invalid', {
          message: `${place}\u00a0: un état est attendu (déposé, mis à disposition, rejeté, payé), un rejet avec son motif.`,
        })
      const [row] = await tx
        .select({ id: invoices.id })
        .from(invoices)
        .where(and(eq(invoices.companyId, companyId), eq(invoices.number, number)))
      const invoice = row && (await findInvoiceById(tx, companyId, row.id))
      if (!invoice)
        throw new AppError('not-found', { message: `${place}\u00a0: aucune facture ne porte le numéro ${number}.` })
      await recordDeliveryState(tx, invoice, {
        ...read.data,
        by: 'Plateforme',
        key: `platform ${companyId} ${file} ${at}`,
      })
    }
  })
}

/** Reads the platform's answers for each company; an invalid file is set aside with the reason. */
export async function importPlatformAnswers(deps: Deps): Promise<void> {
  const { platform } = deps
  if (!platform) return
  for (const companyId of await platform.companies())
    for (const { name, text } of await platform.answers(companyId)) {
      const refusal = await importAnswerFile(deps, companyId, name, text).then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof AppError) return error.message
          throw error
        },
      )
      await platform.putAway(companyId, name, refusal)
    }
}

/** The sender's choice, or the channel the buyer asked for. */
const chooseChannel = ({ snapshot }: InvoiceRecord, requested: Channel | undefined): Channel =>
  requested ?? Channel.safeParse(snapshot.buyer.delivery).data ?? 'mail'

const NO_ADDRESS_MESSAGE = 'l’acheteur n’a pas d’adresse e-mail de facturation.'

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
