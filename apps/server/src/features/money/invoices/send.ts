import { Channel } from '@voisol/contract/invoice-views'
import { and, eq } from 'drizzle-orm'
import { isRefused } from '../../../adapters/mail/mail.ts'
import type { Db } from '../../../db/client.ts'
import { invoiceDeliveries } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { jobId, type Task } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { euros } from '../../../papers/decimals.ts'
import { longDay, spanWords } from '../../../papers/words.ts'
import { mailLayout, publicUrl } from '../../people/mail/mail.ts'
import { buyersOf } from '../parties/parties.ts'
import { addStep } from './deliveries.ts'
import { titleOf } from './explain.ts'
import { type InvoiceRecord, invoiceOf } from './find.ts'
import { paperName, paperOf, requireXml } from './papers.ts'
import { NO_PLATFORM } from './platform.ts'

/** The address of today: one that was wrong when the document was issued may have been mended since. */
async function addressOf(db: Db, { companyId, buyerId, snapshot }: InvoiceRecord): Promise<string> {
  const now = buyerId ? (await buyersOf(db, companyId, [buyerId])).get(buyerId) : undefined
  return now?.email || snapshot.buyer.email
}

/** Without a word from the sender, the way that the buyer asked for. */
const channelOf = ({ snapshot }: InvoiceRecord, asked: Channel | undefined): Channel =>
  asked ?? Channel.safeParse(snapshot.buyer.delivery).data ?? 'mail'

export const NO_ADDRESS = 'l’acheteur n’a pas d’adresse e-mail de facturation.'

/** Sets a document on its way: a mail goes once the caller has committed, the portal has it at once, Chorus waits for a person. */
export async function sendDocument(
  tx: Db,
  invoice: InvoiceRecord,
  { by, channel: asked, platform = false }: { by: string; channel?: Channel | undefined; platform?: boolean },
) {
  const channel = channelOf(invoice, asked)
  if (channel === 'portal') return addStep(tx, invoice, { channel, state: 'sent', detail: 'disponible', by })
  if (channel === 'chorus')
    return addStep(tx, invoice, { channel, state: 'waiting', detail: 'fichier à déposer sur Chorus Pro', by })
  if (channel === 'pa') return sendToPlatform(tx, invoice, by, platform)
  const to = await addressOf(tx, invoice)
  if (!to)
    throw new AppError('conflict', {
      message: `${titleOf(invoice.snapshot)} ne peut pas partir par e-mail\u00a0: ${NO_ADDRESS}`,
    })
  const deliveryId = crypto.randomUUID()
  await addStep(tx, invoice, { id: deliveryId, channel, state: 'waiting', detail: to, by })
  await enqueue(tx, 'invoice.mail', { companyId: invoice.companyId, invoiceId: invoice.id, deliveryId })
}

/** A job leaves the file there; what becomes of it comes back later. */
async function sendToPlatform(tx: Db, invoice: InvoiceRecord, by: string, platform: boolean) {
  if (!platform)
    throw new AppError('conflict', { message: `${titleOf(invoice.snapshot)} ne peut pas partir\u00a0: ${NO_PLATFORM}` })
  requireXml(invoice)
  const deliveryId = crypto.randomUUID()
  await addStep(tx, invoice, { id: deliveryId, channel: 'pa', state: 'waiting', detail: '', by })
  await enqueue(tx, 'invoice.platform', { companyId: invoice.companyId, invoiceId: invoice.id, deliveryId })
}

/** Several documents, each as its buyer asked for: what cannot go is told beside it, and holds up no other. */
export async function sendDocuments(tx: Db, { companyId, ids, by }: { companyId: number; ids: string[]; by: string }) {
  const counts = { sent: 0, failed: 0 }
  for (const id of ids) {
    const invoice = await invoiceOf(tx, companyId, id)
    if (!invoice) continue
    const mailed = channelOf(invoice, undefined) === 'mail'
    if (mailed && !(await addressOf(tx, invoice))) {
      await addStep(tx, invoice, { channel: 'mail', state: 'failed', detail: NO_ADDRESS, by })
      counts.failed++
    } else {
      await sendDocument(tx, invoice, { by })
      counts.sent++
    }
  }
  return counts
}

function words({ snapshot }: InvoiceRecord, url: string) {
  const { kind, seller, operation, totals, dueOn } = snapshot
  const due = kind === 'invoice' || kind === 'complement'
  const sum = due ? `Montant à régler\u00a0: ${euros(totals.gross)}, au plus tard le ${longDay(dueOn)}.` : ''
  return mailLayout({
    title: titleOf(snapshot),
    paragraphs: [
      `Bonjour,\nvous trouverez ci-joint le document ${snapshot.number} de ${seller.name} pour l’électricité locale partagée dans l’opération «\u00a0${operation.name}\u00a0» (${spanWords(snapshot)}).`,
      ...(sum ? [sum] : []),
      'Chaque ligne peut être ouverte et recalculée dans votre espace client.',
    ],
    action: { label: 'Voir dans mon espace', url },
    footer: `${operation.pmoName || seller.name} — document envoyé par Voisol.`,
  })
}

const alreadySent = async (db: Db, companyId: number, id: string) => {
  const [row] = await db
    .select({ id: invoiceDeliveries.id })
    .from(invoiceDeliveries)
    .where(and(eq(invoiceDeliveries.companyId, companyId), eq(invoiceDeliveries.id, id)))
  return row !== undefined
}

/** Hands the document to the mail server, and keeps what it answered; a server that is away is asked again. */
export async function mailDocument(deps: Deps, invoice: InvoiceRecord, deliveryId: string, task: Task): Promise<void> {
  const id = jobId(`invoice mail ${deliveryId}`)
  if (await alreadySent(deps.db, invoice.companyId, id)) return
  const to = await addressOf(deps.db, invoice)
  const pdf = await paperOf(deps, invoice, 'pdf')
  const file = {
    filename: paperName(invoice.snapshot, 'pdf'),
    contentType: 'application/pdf',
    encoding: 'base64' as const,
  }
  const content = { ...file, content: Buffer.from(pdf).toString('base64') }
  const url = publicUrl(deps.config, `/client-portal/invoices?facture=${invoice.id}`)
  try {
    const subject = `${titleOf(invoice.snapshot)} — ${invoice.snapshot.seller.name}`
    await deps.mailer.send({ to, subject, ...words(invoice, url), attachments: [content], id: task.id })
    await addStep(deps.db, invoice, { id, channel: 'mail', state: 'sent', detail: to, by: '' })
  } catch (error) {
    if (!isRefused(error) && !task.last) throw error
    const detail = isRefused(error) ? refusalOf(error, to) : awayOf(error)
    await addStep(deps.db, invoice, { id, channel: 'mail', state: 'failed', detail, by: '' })
  }
}

const refusalOf = (error: unknown, to: string) =>
  `${to} a été refusée par le serveur de messagerie${error instanceof Error && error.message ? ` (${error.message.slice(0, 200)})` : ''}`

const awayOf = (error: unknown) =>
  `le serveur de messagerie n’a pas répondu après plusieurs heures d’essais${error instanceof Error && error.message ? ` (${error.message.slice(0, 200)})` : ''}. Envoyez le document à nouveau quand il répond.`
