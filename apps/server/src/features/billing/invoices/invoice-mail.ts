import { formatEuros, formatLongDay, formatPeriod } from '@voisol/documents/number-and-date-formats'
import { and, eq } from 'drizzle-orm'
import { sendCompanyMail } from '../../../core/company-mail.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { invoiceDeliveries } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { isPermanentMailRefusal } from '../../../integrations/mail/mail.ts'
import { type JobRun, toStableId } from '../../../jobs/job.ts'
import { buildBrandUrl, loadMailBrand, renderMail } from '../../identity/mail/index.ts'
import { loadBuyers } from '../parties/index.ts'
import { loadOpenAmounts, type OpenAmounts } from './account-ledger.ts'
import { addDeliveryStep } from './deliveries.ts'
import { buildDocumentFileName, loadDocumentFile } from './document-files.ts'
import { buildDueNoticeFileName, loadDocumentsIssuedTogether, needsDueNotice, renderDueNotice } from './due-notice.ts'
import { formatDocumentTitle } from './explain-document.ts'
import type { InvoiceRecord } from './load-invoice.ts'

/** The current address: a wrong one at issue may have been corrected since. */
export async function loadBillingEmail(db: Db, { companyId, buyerId, snapshot }: InvoiceRecord): Promise<string> {
  const now = buyerId ? (await loadBuyers(db, companyId, [buyerId])).get(buyerId) : undefined
  return now?.email || snapshot.buyer.email
}

const isDue = ({ kind }: InvoiceRecord) => kind === 'invoice' || kind === 'complement'
const PORTAL_FOOTNOTE = 'Chaque ligne peut être ouverte et recalculée dans votre espace client.'
/** What the documents are for: shared local electricity, or a sale outside operations. */
const describeSubject = ({ id, name }: InvoiceRecord['snapshot']['operation']) =>
  id ? `pour l’électricité locale partagée dans l’opération «\u00a0${name}\u00a0»` : `au titre de «\u00a0${name}\u00a0»`
const getFootnotes = ({ operation }: InvoiceRecord['snapshot']) => (operation.id ? [PORTAL_FOOTNOTE] : [])

/** How an amount is paid: debited automatically, or due by a day. */
const formatDue = ({ dueOn, debit }: InvoiceRecord['snapshot'], left: number) =>
  debit
    ? `${formatEuros(left)} prélevés le ${formatLongDay(debit.collectionOn)} sur votre compte finissant par ${debit.ibanEnd} (mandat ${debit.rum})`
    : `${formatEuros(left)} au plus tard le ${formatLongDay(dueOn)}`

/** A document sent again asks only for its open amount. */
const getAmountLeft = ({ id, snapshot }: InvoiceRecord, open: OpenAmounts) =>
  Math.max(0, open.get(id) ?? snapshot.totals.gross)

function formatAmountAsked(invoice: InvoiceRecord, open: OpenAmounts): string {
  const { debit, totals } = invoice.snapshot
  const left = getAmountLeft(invoice, open)
  if (left === 0) return 'Cette facture est déjà réglée\u00a0: il ne vous reste rien à payer.'
  if (debit) return `${formatDue(invoice.snapshot, left)}. Vous n’avez rien à faire.`
  const rest = left < totals.gross ? ` Sur ${formatEuros(totals.gross)}, le reste est déjà réglé.` : ''
  return `Montant à régler\u00a0: ${formatDue(invoice.snapshot, left)}.${rest}`
}

function buildSingleDocumentText(invoice: InvoiceRecord, open: OpenAmounts): { title: string; paragraphs: string[] } {
  const { snapshot } = invoice
  const { seller, operation } = snapshot
  const about = `Bonjour,\nvous trouverez ci-joint le document ${snapshot.number} de ${seller.name} ${describeSubject(operation)} (${formatPeriod(snapshot)}).`
  const amountAsked = isDue(invoice) ? [formatAmountAsked(invoice, open)] : []
  return { title: formatDocumentTitle(snapshot), paragraphs: [about, ...amountAsked, ...getFootnotes(snapshot)] }
}

const buildRowFormatter = (open: OpenAmounts) => (invoice: InvoiceRecord) => {
  const { seller, totals } = invoice.snapshot
  const what = `${seller.name}\u00a0: ${formatDocumentTitle(invoice.snapshot)}`
  const left = getAmountLeft(invoice, open)
  if (isDue(invoice)) return left > 0 ? `${what}, ${formatDue(invoice.snapshot, left)}.` : `${what}, déjà réglée.`
  return invoice.kind === 'creditNote' ? `${what}, ${formatEuros(totals.gross)} en votre faveur.` : `${what}.`
}

/** Several documents of one buyer: what each asks for, one per line. */
function buildGroupedDocumentsText(
  first: InvoiceRecord,
  invoices: readonly InvoiceRecord[],
  cover: boolean,
  open: OpenAmounts,
) {
  const joined = cover ? ', avec l’avis d’échéance qui dit en une page ce qui est à payer, à qui et comment' : ''
  const about = `Bonjour,\nvous trouverez ci-joint vos ${invoices.length} documents ${describeSubject(first.snapshot.operation)}${joined}.`
  return {
    title: cover ? 'Vos factures et leur avis d’échéance' : 'Vos documents',
    paragraphs: [about, invoices.map(buildRowFormatter(open)).join('\n'), ...getFootnotes(first.snapshot)],
  }
}

type MailItem = { invoice: InvoiceRecord; deliveryId: string }
const getMailStepId = ({ deliveryId }: MailItem) => toStableId(`invoice mail ${deliveryId}`)

async function isStillToSend(db: Db, item: MailItem): Promise<boolean> {
  const own = and(
    eq(invoiceDeliveries.companyId, item.invoice.companyId),
    eq(invoiceDeliveries.id, getMailStepId(item)),
  )
  return (await db.$count(invoiceDeliveries, own)) === 0
}

const toAttachment = (filename: string, bytes: Uint8Array) => ({
  filename,
  contentType: 'application/pdf',
  encoding: 'base64' as const,
  content: Buffer.from(bytes).toString('base64'),
})

/** Adds the due notice before the documents when several sellers ask for money. */
async function buildMailMessage(deps: Deps, invoices: readonly InvoiceRecord[]) {
  const [first] = invoices
  if (!first) throw new Error('a message has a document')
  const sent = new Set(invoices.map(({ id }) => id))
  const issued = await loadDocumentsIssuedTogether(deps.db, first)
  // A due notice lists its documents: sent with only some of them, it would ask for documents the reader does not have.
  const cover = needsDueNotice(issued) && issued.every(({ id }) => sent.has(id))
  const files = cover ? [toAttachment(buildDueNoticeFileName(first), await renderDueNotice(deps, first))] : []
  for (const invoice of invoices)
    files.push(
      toAttachment(buildDocumentFileName(invoice.snapshot, 'pdf'), await loadDocumentFile(deps, invoice, 'pdf')),
    )
  return { ...(await buildDocumentsMail(deps, first, invoices, cover)), attachments: files }
}

/** The message around the documents, with the branding of the sending company. */
export async function buildDocumentsMail(
  deps: Pick<Deps, 'db' | 'config'>,
  first: InvoiceRecord,
  invoices: readonly InvoiceRecord[],
  cover: boolean,
) {
  const open = await loadOpenAmounts(deps.db, first.companyId, first.buyerId ? [first.buyerId] : undefined)
  const { title, paragraphs } =
    invoices.length > 1 ? buildGroupedDocumentsText(first, invoices, cover, open) : buildSingleDocumentText(first, open)
  const { operation, seller } = first.snapshot
  const brand = await loadMailBrand(deps.db, deps.config, first.companyId)
  const [label, path] = operation.id
    ? ['Voir dans mon espace', `/client-portal/invoices?facture=${first.id}`]
    : ['Voir mon abonnement', '/subscription-plans']
  const action = { label, url: buildBrandUrl(deps.config, brand, path) }
  const by = operation.pmoName || seller.name
  const layout = renderMail({ title, paragraphs, action, footer: `${by} — document envoyé par Voisol.`, by, brand })
  const subject = `${title} — ${invoices.length > 1 ? by : seller.name}`
  return { subject, ...layout }
}

/** Sends the documents in one mail and stores the server's answer; an unreachable server is tried again. */
export async function mailDocuments(deps: Deps, items: MailItem[], task: JobRun): Promise<void> {
  const left: MailItem[] = []
  for (const item of items) if (await isStillToSend(deps.db, item)) left.push(item)
  const [first] = left
  if (!first) return
  const to = await loadBillingEmail(deps.db, first.invoice)
  const recordResult = (state: 'sent' | 'failed', detail: string) =>
    transaction(deps.db, async (tx) => {
      for (const item of left)
        await addDeliveryStep(tx, item.invoice, { id: getMailStepId(item), channel: 'mail', state, detail, by: '' })
    })
  const message = await buildMailMessage(
    deps,
    left.map(({ invoice }) => invoice),
  )
  try {
    await sendCompanyMail(deps, first.invoice.companyId, { to, ...message, id: task.id })
  } catch (error) {
    if (!isPermanentMailRefusal(error) && !task.last) throw error
    await recordResult('failed', isPermanentMailRefusal(error) ? formatRefusal(error, to) : formatUnreachable(error))
    return
  }
  await recordResult('sent', to)
}

const formatRefusal = (error: unknown, to: string) =>
  `${to} a été refusée par le serveur de messagerie${error instanceof Error && error.message ? ` (${error.message.slice(0, 200)})` : ''}`

const formatUnreachable = (error: unknown) =>
  `le serveur de messagerie n’a pas répondu après plusieurs heures d’essais${error instanceof Error && error.message ? ` (${error.message.slice(0, 200)})` : ''}. Envoyez le document à nouveau quand il répond.`
