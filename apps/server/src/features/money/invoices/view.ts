import type { Channel, Delivery, InvoiceDetail } from '@voisol/contract/invoice-views'
import { KIND_WORDS } from '@voisol/contract/money'
import { and, asc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { invoiceDeliveries, invoiceFiles, invoices } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { invoiceXml } from '../../../papers/invoice-xml.ts'
import { today } from '../../../today.ts'
import { noticeSummary } from './due-notice.ts'
import { findInvoice, type InvoiceRecord } from './find.ts'
import { readOpen, stateOf } from './ledger.ts'
import { invoiceScope } from './scope.ts'

const CHANNELS: Record<Channel, string> = {
  mail: 'par e-mail',
  portal: 'dans l’espace client',
  chorus: 'sur Chorus Pro',
  pa: 'sur la plateforme agréée',
}
const STATES: Record<string, string> = {
  waiting: 'Remise en attente',
  sent: 'Document remis',
  failed: 'Remise refusée',
  deposited: 'Remise déposée',
  available: 'Document mis à disposition',
  rejected: 'Remise rejetée',
  paid: 'Remise mise en paiement',
}
const deliveryWords = ({ channel, state, detail }: Delivery) =>
  `${STATES[state] ?? state} ${CHANNELS[channel as Channel] ?? channel}${detail ? `\u00a0: ${detail}` : ''}` // others read as they are

const deliveriesOf = async (db: Db, { companyId, id }: InvoiceRecord): Promise<Delivery[]> => {
  const rows = await db
    .select()
    .from(invoiceDeliveries)
    .where(and(eq(invoiceDeliveries.companyId, companyId), eq(invoiceDeliveries.invoiceId, id)))
    .orderBy(asc(invoiceDeliveries.createdAt))
  return rows.map((row) => ({
    id: row.id,
    channel: row.channel,
    state: row.state,
    detail: row.detail,
    by: row.createdBy,
    at: row.createdAt.toISOString(),
  }))
}

const correctionsOf = (db: Db, actor: Actor, { id }: InvoiceRecord) =>
  db
    .select({
      id: invoices.id,
      number: invoices.number,
      kind: invoices.kind,
      gross: invoices.gross,
      issuedOn: invoices.issuedOn,
      at: invoices.issuedAt,
      by: invoices.issuedBy,
    })
    .from(invoices)
    .where(and(invoiceScope(actor), eq(invoices.correctsId, id)))
    .orderBy(asc(invoices.issuedAt))
type Correction = Awaited<ReturnType<typeof correctionsOf>>[number]
const kindOf = ({ kind }: { kind: string }) => kind as keyof typeof KIND_WORDS // the column holds only these

type Happened = InvoiceDetail['history'][number]

async function historyOf(db: Db, invoice: InvoiceRecord, deliveries: Delivery[], corrections: Correction[]) {
  const [made] = await db
    .select({ at: invoiceFiles.createdAt })
    .from(invoiceFiles)
    .where(and(eq(invoiceFiles.companyId, invoice.companyId), eq(invoiceFiles.invoiceId, invoice.id)))
    .limit(1)
  const issued = {
    at: invoice.issuedAt.toISOString(),
    text: `${KIND_WORDS[invoice.snapshot.kind]} émise`,
    by: invoice.issuedBy,
  }
  const all: Happened[] = [
    {
      ...issued,
      text:
        invoice.kind === 'creditNote' || invoice.kind === 'statement'
          ? issued.text.replace(/émise$/, 'émis')
          : issued.text,
    },
    ...(made ? [{ at: made.at.toISOString(), text: 'Fichiers établis', by: '' }] : []),
    ...deliveries.map((delivery) => ({ at: delivery.at, text: deliveryWords(delivery), by: delivery.by })),
    ...corrections.map((one) => ({
      at: one.at.toISOString(),
      text: `Correction émise\u00a0: ${one.number}`,
      by: one.by,
    })),
  ]
  return all.sort((a, b) => (a.at < b.at ? 1 : -1))
}

/** How it reached the buyer is the organiser's to follow; who did it is not for the portal. */
const forPortal = (detail: InvoiceDetail): InvoiceDetail => ({
  ...detail,
  deliveries: [],
  history: detail.history.map((one) => ({ ...one, by: '' })).filter(({ text }) => !text.startsWith('Remise')),
})

export async function detailOf(db: Db, actor: Actor, invoice: InvoiceRecord): Promise<InvoiceDetail> {
  const [deliveries, corrections] = [await deliveriesOf(db, invoice), await correctionsOf(db, actor, invoice)]
  const balances = await readOpen(db, invoice.companyId, invoice.buyerId ? [invoice.buyerId] : undefined)
  const open = balances.get(invoice.id) ?? 0
  const { id, snapshot, hash, previousHash, position, kind, dueOn } = invoice
  const detail: InvoiceDetail = {
    id,
    snapshot,
    open,
    state: stateOf({ kind, dueOn, open }, today()),
    hash,
    previousHash,
    position,
    hasXml: invoiceXml(snapshot) !== null,
    notice: await noticeSummary(db, invoice, balances),
    corrections: corrections.map((one) => ({
      id: one.id,
      number: one.number,
      kind: kindOf(one),
      gross: one.gross,
      issuedOn: one.issuedOn,
    })),
    deliveries,
    history: await historyOf(db, invoice, deliveries, corrections),
  }
  return actor.space === 'portal' ? forPortal(detail) : detail
}

export const getInvoice = async (db: Db, actor: Actor, id: string) =>
  detailOf(db, actor, await findInvoice(db, actor, id))
