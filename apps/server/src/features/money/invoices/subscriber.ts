import { KIND_WORDS } from '@voisol/contract/money'
import { and, eq } from 'drizzle-orm'
import { holdersOf } from '../../../core/held.ts'
import { type Heard, subscriber } from '../../../core/subscriber.ts'
import type { Db } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { euros } from '../../../papers/decimals.ts'
import { longDay, spanWords } from '../../../papers/words.ts'
import { notify } from '../../people/notifications/notifications.ts'
import { type InvoiceRecord, invoiceOf } from './find.ts'

function sentence({ snapshot }: InvoiceRecord): string {
  const { kind, seller, totals, dueOn, debit } = snapshot
  const about = `${seller.name}, ${spanWords(snapshot)}.`
  if (kind === 'statement') return `${about} Il n’y a rien à payer.`
  if (kind === 'creditNote') return `${about} ${euros(totals.gross)} sont déduits de ce que vous devez.`
  if (debit) return `${about} ${euros(totals.gross)} seront prélevés le ${longDay(debit.collectionOn)}.`
  return `${about} ${euros(totals.gross)} à régler au plus tard le ${longDay(dueOn)}.`
}

/** The buyer who has a portal is told in it; the mail with the document is sent by the organiser. */
async function tellBuyer(tx: Db, deps: Deps, invoice: InvoiceRecord, at: Date) {
  const { companyId, buyerId, snapshot, id } = invoice
  if (!buyerId) return
  const to = await holdersOf(tx, companyId, buyerId)
  if (!to.length) return
  await notify(tx, deps, {
    companyId,
    at,
    to,
    category: 'billing',
    type: 'info',
    priority: 'normal',
    title: `${KIND_WORDS[snapshot.kind]} ${snapshot.number}`,
    message: sentence(invoice),
    action: { label: 'Voir le document', url: `/client-portal/invoices?facture=${id}` },
    key: `invoice-issued ${id}`,
  })
}

/** What is told of a past is no news to anybody, and its files are made when somebody asks for them. */
const isPast = (issuedOn: string, at: Date) =>
  Temporal.PlainDate.from(issuedOn).add({ days: 31 }).toString() < at.toISOString().slice(0, 10)

/** The files are made here and not where the number is taken: nothing of them can undo an issue, and a command has no queue. */
async function hear(tx: Db, deps: Deps, { companyId, at, data: { invoiceId } }: Heard<'invoice.issued'>) {
  // Its day first: of a whole past, told at once, no document need be read.
  const [issued] = await tx
    .select({ on: invoices.issuedOn })
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), eq(invoices.id, invoiceId)))
  const invoice = issued && !isPast(issued.on, at) ? await invoiceOf(tx, companyId, invoiceId) : undefined
  if (!invoice) return
  await enqueue(tx, 'invoice.files', { companyId, invoiceId }, { once: invoiceId })
  await tellBuyer(tx, deps, invoice, at)
}

export const invoiceSubscriber = subscriber({ name: 'invoices', on: ['invoice.issued'], handle: hear })
