import type { Channel, Delivery, InvoiceDetail } from '@voisol/contract/invoice-views'
import { INVOICE_KIND_LABELS } from '@voisol/contract/money'
import { buildInvoiceXml } from '@voisol/documents/invoice-xml'
import { and, asc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { invoiceDeliveries, invoiceFiles, invoices } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { getInvoiceState, loadOpenAmounts } from './account-ledger.ts'
import { loadDueNoticeSummary } from './due-notice.ts'
import { type InvoiceRecord, invoiceScope, loadInvoice } from './load-invoice.ts'

const CHANNEL_LABELS: Record<Channel, string> = {
  mail: 'par e-mail',
  portal: 'dans l’espace client',
  chorus: 'sur Chorus Pro',
  pa: 'sur la plateforme agréée',
}
const STATE_LABELS: Record<string, string> = {
  waiting: 'Remise en attente',
  sent: 'Document remis',
  failed: 'Remise refusée',
  deposited: 'Remise déposée',
  available: 'Document mis à disposition',
  rejected: 'Remise rejetée',
  paid: 'Remise mise en paiement',
}
const formatDelivery = ({ channel, state, detail }: Delivery) =>
  `${STATE_LABELS[state] ?? state} ${CHANNEL_LABELS[channel as Channel] ?? channel}${detail ? `\u00a0: ${detail}` : ''}` // unknown: shown as is

const loadDeliveries = async (db: Db, { companyId, id }: InvoiceRecord): Promise<Delivery[]> => {
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

const loadCorrections = (db: Db, actor: Actor, { id }: InvoiceRecord) =>
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
type Correction = Awaited<ReturnType<typeof loadCorrections>>[number]
const getDocumentKind = ({ kind }: { kind: string }) => kind as keyof typeof INVOICE_KIND_LABELS // only these are stored

type HistoryEntry = InvoiceDetail['history'][number]

async function loadHistory(db: Db, invoice: InvoiceRecord, deliveries: Delivery[], corrections: Correction[]) {
  const [made] = await db
    .select({ at: invoiceFiles.createdAt })
    .from(invoiceFiles)
    .where(and(eq(invoiceFiles.companyId, invoice.companyId), eq(invoiceFiles.invoiceId, invoice.id)))
    .limit(1)
  const issued = {
    at: invoice.issuedAt.toISOString(),
    text: `${INVOICE_KIND_LABELS[invoice.snapshot.kind]} émise`,
    by: invoice.issuedBy,
  }
  const all: HistoryEntry[] = [
    {
      ...issued,
      text:
        invoice.kind === 'creditNote' || invoice.kind === 'statement'
          ? issued.text.replace(/émise$/, 'émis')
          : issued.text,
    },
    ...(made ? [{ at: made.at.toISOString(), text: 'Fichiers établis', by: '' }] : []),
    ...deliveries.map((delivery) => ({ at: delivery.at, text: formatDelivery(delivery), by: delivery.by })),
    ...corrections.map((one) => ({
      at: one.at.toISOString(),
      text: `Correction émise\u00a0: ${one.number}`,
      by: one.by,
    })),
  ]
  return all.sort((a, b) => (a.at < b.at ? 1 : -1))
}

/** Delivery steps and who did them are internal to the organiser, so the portal does not show them. */
const toPortalDetail = (detail: InvoiceDetail): InvoiceDetail => ({
  ...detail,
  deliveries: [],
  history: detail.history.map((one) => ({ ...one, by: '' })).filter(({ text }) => !text.startsWith('Remise')),
})

export async function loadDetailOfInvoice(db: Db, actor: Actor, invoice: InvoiceRecord): Promise<InvoiceDetail> {
  const [deliveries, corrections] = [await loadDeliveries(db, invoice), await loadCorrections(db, actor, invoice)]
  const balances = await loadOpenAmounts(db, invoice.companyId, invoice.buyerId ? [invoice.buyerId] : undefined)
  const open = balances.get(invoice.id) ?? 0
  const { id, snapshot, hash, previousHash, position, kind, dueOn } = invoice
  const detail: InvoiceDetail = {
    id,
    snapshot,
    open,
    state: getInvoiceState({ kind, dueOn, open }, getToday()),
    hash,
    previousHash,
    position,
    hasXml: buildInvoiceXml(snapshot) !== null,
    notice: await loadDueNoticeSummary(db, invoice, balances),
    corrections: corrections.map((one) => ({
      id: one.id,
      number: one.number,
      kind: getDocumentKind(one),
      gross: one.gross,
      issuedOn: one.issuedOn,
    })),
    deliveries,
    history: await loadHistory(db, invoice, deliveries, corrections),
  }
  return actor.space === 'portal' ? toPortalDetail(detail) : detail
}

export const loadInvoiceDetail = async (db: Db, actor: Actor, id: string) =>
  loadDetailOfInvoice(db, actor, await loadInvoice(db, actor, id))
