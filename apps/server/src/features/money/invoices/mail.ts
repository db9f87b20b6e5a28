import { and, eq } from 'drizzle-orm'
import { isRefused } from '../../../adapters/mail/mail.ts'
import { sendFor } from '../../../core/company-sender.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { invoiceDeliveries } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { jobId, type Task } from '../../../jobs/job.ts'
import { euros } from '../../../papers/decimals.ts'
import { longDay, spanWords } from '../../../papers/words.ts'
import { brandUrl, mailBrandOf, mailLayout } from '../../people/mail/mail.ts'
import { buyersOf } from '../parties/parties.ts'
import { addStep } from './deliveries.ts'
import { drawNotice, issuedWith, needsNotice, noticeName } from './due-notice.ts'
import { titleOf } from './explain.ts'
import type { InvoiceRecord } from './find.ts'
import { type Open, readOpen } from './ledger.ts'
import { paperName, paperOf } from './papers.ts'

/** The address of today: one that was wrong when the document was issued may have been mended since. */
export async function addressOf(db: Db, { companyId, buyerId, snapshot }: InvoiceRecord): Promise<string> {
  const now = buyerId ? (await buyersOf(db, companyId, [buyerId])).get(buyerId) : undefined
  return now?.email || snapshot.buyer.email
}

const isDue = ({ kind }: InvoiceRecord) => kind === 'invoice' || kind === 'complement'
const FOOT = 'Chaque ligne peut être ouverte et recalculée dans votre espace client.'
/** What the documents are for: a share of local electricity, or what stands beside operations and is not read line by line. */
const subjectOf = ({ id, name }: InvoiceRecord['snapshot']['operation']) =>
  id ? `pour l’électricité locale partagée dans l’opération «\u00a0${name}\u00a0»` : `au titre de «\u00a0${name}\u00a0»`
const footOf = ({ operation }: InvoiceRecord['snapshot']) => (operation.id ? [FOOT] : [])

/** What becomes of a sum that is asked for: debited by itself, or to be paid by a day. */
const dueWords = ({ dueOn, debit }: InvoiceRecord['snapshot'], left: number) =>
  debit
    ? `${euros(left)} prélevés le ${longDay(debit.collectionOn)} sur votre compte finissant par ${debit.ibanEnd} (mandat ${debit.rum})`
    : `${euros(left)} au plus tard le ${longDay(dueOn)}`

/** Sent again, a document asks for what is left of it. */
const leftOf = ({ id, snapshot }: InvoiceRecord, open: Open) => Math.max(0, open.get(id) ?? snapshot.totals.gross)

function askedWords(invoice: InvoiceRecord, open: Open): string {
  const { debit, totals } = invoice.snapshot
  const left = leftOf(invoice, open)
  if (left === 0) return 'Cette facture est déjà réglée\u00a0: il ne vous reste rien à payer.'
  if (debit) return `${dueWords(invoice.snapshot, left)}. Vous n’avez rien à faire.`
  const rest = left < totals.gross ? ` Sur ${euros(totals.gross)}, le reste est déjà réglé.` : ''
  return `Montant à régler\u00a0: ${dueWords(invoice.snapshot, left)}.${rest}`
}

function oneDocument(invoice: InvoiceRecord, open: Open): { title: string; paragraphs: string[] } {
  const { snapshot } = invoice
  const { seller, operation } = snapshot
  const about = `Bonjour,\nvous trouverez ci-joint le document ${snapshot.number} de ${seller.name} ${subjectOf(operation)} (${spanWords(snapshot)}).`
  const asked = isDue(invoice) ? [askedWords(invoice, open)] : []
  return { title: titleOf(snapshot), paragraphs: [about, ...asked, ...footOf(snapshot)] }
}

const rowOf = (open: Open) => (invoice: InvoiceRecord) => {
  const { seller, totals } = invoice.snapshot
  const what = `${seller.name}\u00a0: ${titleOf(invoice.snapshot)}`
  const left = leftOf(invoice, open)
  if (isDue(invoice)) return left > 0 ? `${what}, ${dueWords(invoice.snapshot, left)}.` : `${what}, déjà réglée.`
  return invoice.kind === 'creditNote' ? `${what}, ${euros(totals.gross)} en votre faveur.` : `${what}.`
}

/** Several documents of one buyer: what each asks for, one to a line. */
function together(first: InvoiceRecord, invoices: readonly InvoiceRecord[], cover: boolean, open: Open) {
  const joined = cover ? ', avec l’avis d’échéance qui dit en une page ce qui est à payer, à qui et comment' : ''
  const about = `Bonjour,\nvous trouverez ci-joint vos ${invoices.length} documents ${subjectOf(first.snapshot.operation)}${joined}.`
  return {
    title: cover ? 'Vos factures et leur avis d’échéance' : 'Vos documents',
    paragraphs: [about, invoices.map(rowOf(open)).join('\n'), ...footOf(first.snapshot)],
  }
}

type Item = { invoice: InvoiceRecord; deliveryId: string }
const stepId = ({ deliveryId }: Item) => jobId(`invoice mail ${deliveryId}`)

async function isLeft(db: Db, item: Item): Promise<boolean> {
  const own = and(eq(invoiceDeliveries.companyId, item.invoice.companyId), eq(invoiceDeliveries.id, stepId(item)))
  return (await db.$count(invoiceDeliveries, own)) === 0
}

const attached = (filename: string, bytes: Uint8Array) => ({
  filename,
  contentType: 'application/pdf',
  encoding: 'base64' as const,
  content: Buffer.from(bytes).toString('base64'),
})

/** With the cover where several sellers ask for something, in front of what it covers. */
async function messageOf(deps: Deps, invoices: readonly InvoiceRecord[]) {
  const [first] = invoices
  if (!first) throw new Error('a message has a document')
  const sent = new Set(invoices.map(({ id }) => id))
  const issued = await issuedWith(deps.db, first)
  // A cover names what is joined: sent with a part of it, it would ask for what the reader does not hold.
  const cover = needsNotice(issued) && issued.every(({ id }) => sent.has(id))
  const files = cover ? [attached(noticeName(first), await drawNotice(deps, first))] : []
  for (const invoice of invoices)
    files.push(attached(paperName(invoice.snapshot, 'pdf'), await paperOf(deps, invoice, 'pdf')))
  return { ...(await documentsMail(deps, first, invoices, cover)), attachments: files }
}

/** The words around the documents, in the look of the company that sends them. */
export async function documentsMail(
  deps: Pick<Deps, 'db' | 'config'>,
  first: InvoiceRecord,
  invoices: readonly InvoiceRecord[],
  cover: boolean,
) {
  const open = await readOpen(deps.db, first.companyId, first.buyerId ? [first.buyerId] : undefined)
  const { title, paragraphs } = invoices.length > 1 ? together(first, invoices, cover, open) : oneDocument(first, open)
  const { operation, seller } = first.snapshot
  const brand = await mailBrandOf(deps.db, deps.config, first.companyId)
  const [label, path] = operation.id
    ? ['Voir dans mon espace', `/client-portal/invoices?facture=${first.id}`]
    : ['Voir mon abonnement', '/subscription-plans']
  const action = { label, url: brandUrl(deps.config, brand, path) }
  const by = operation.pmoName || seller.name
  const layout = mailLayout({ title, paragraphs, action, footer: `${by} — document envoyé par Voisol.`, by, brand })
  const subject = `${title} — ${invoices.length > 1 ? by : seller.name}`
  return { subject, ...layout }
}

/** Hands the documents to the mail server in one message, and keeps what it answered; a server that is away is asked again. */
export async function mailDocuments(deps: Deps, items: Item[], task: Task): Promise<void> {
  const left: Item[] = []
  for (const item of items) if (await isLeft(deps.db, item)) left.push(item)
  const [first] = left
  if (!first) return
  const to = await addressOf(deps.db, first.invoice)
  const keep = (state: 'sent' | 'failed', detail: string) =>
    transaction(deps.db, async (tx) => {
      for (const item of left)
        await addStep(tx, item.invoice, { id: stepId(item), channel: 'mail', state, detail, by: '' })
    })
  const message = await messageOf(
    deps,
    left.map(({ invoice }) => invoice),
  )
  try {
    await sendFor(deps, first.invoice.companyId, { to, ...message, id: task.id })
  } catch (error) {
    if (!isRefused(error) && !task.last) throw error
    await keep('failed', isRefused(error) ? refusalOf(error, to) : awayOf(error))
    return
  }
  await keep('sent', to)
}

const refusalOf = (error: unknown, to: string) =>
  `${to} a été refusée par le serveur de messagerie${error instanceof Error && error.message ? ` (${error.message.slice(0, 200)})` : ''}`

const awayOf = (error: unknown) =>
  `le serveur de messagerie n’a pas répondu après plusieurs heures d’essais${error instanceof Error && error.message ? ` (${error.message.slice(0, 200)})` : ''}. Envoyez le document à nouveau quand il répond.`
