import { SnapshotLine } from '@voisol/contract/invoice-snapshot'
import { and, asc, count, eq, gt } from 'drizzle-orm'
import { z } from 'zod'
import { invoices, payments } from '../../../db/schema/index.ts'
import { loadBook, loadEntity, loadEntries } from '../../money/books/books.ts'
import { invoiceScope } from '../../money/invoices/invoices.ts'
import { loadSellers } from '../../money/parties/parties.ts'
import { paymentScope } from '../../money/payments/payments.ts'
import {
  type DataBatch,
  type DataSetQuery,
  type DataSetSource,
  dayColumn,
  instantColumn,
  integerColumn,
  OPERATION_COLUMN,
  ROWS_PER_BATCH,
  readPages,
  textColumn,
  toColumnTable,
  whereDayInPeriod,
} from './data-set.ts'

const buildInvoiceFilter = (asking: DataSetQuery) =>
  and(
    invoiceScope(asking.actor),
    whereDayInPeriod(invoices.issuedOn, asking),
    asking.operationId ? eq(invoices.operationId, asking.operationId) : undefined,
    asking.participantId ? eq(invoices.buyerId, asking.participantId) : undefined,
  )
const countInvoices = async (asking: DataSetQuery) => {
  const [sum] = await asking.db.select({ n: count() }).from(invoices).where(buildInvoiceFilter(asking))
  return sum?.n ?? 0
}

const INVOICE_COLUMNS = [
  textColumn('id', 'Identifiant du document'),
  textColumn('number', 'Numéro'),
  textColumn('kind', 'invoice, complement, creditNote ou statement'),
  OPERATION_COLUMN,
  textColumn('seller_id', 'Identifiant du vendeur'),
  textColumn('buyer_id', 'Identifiant du participant facturé'),
  dayColumn('issued_on', 'Jour d’émission'),
  dayColumn('due_on', 'Échéance'),
  dayColumn('from_day', 'Premier jour de la période'),
  dayColumn('to_day', 'Jour de fin de la période, exclu'),
  integerColumn('wh', 'Énergie facturée', 'Wh'),
  integerColumn('net_cents', 'Montant hors taxe', 'centime'),
  integerColumn('tax_cents', 'TVA', 'centime'),
  integerColumn('gross_cents', 'Montant toutes taxes', 'centime'),
]

export const invoiceSource: DataSetSource = {
  about: 'Une ligne par document émis.',
  columns: INVOICE_COLUMNS,
  read: (asking, from) =>
    readPages(
      INVOICE_COLUMNS,
      from,
      (after) =>
        asking.db
          .select({
            id: invoices.id,
            number: invoices.number,
            kind: invoices.kind,
            operation_id: invoices.operationId,
            seller_id: invoices.sellerId,
            buyer_id: invoices.buyerId,
            issued_on: invoices.issuedOn,
            due_on: invoices.dueOn,
            from_day: invoices.from,
            to_day: invoices.to,
            wh: invoices.wh,
            net_cents: invoices.net,
            tax_cents: invoices.tax,
            gross_cents: invoices.gross,
          })
          .from(invoices)
          .where(and(buildInvoiceFilter(asking), after ? gt(invoices.id, after) : undefined))
          .orderBy(asc(invoices.id))
          .limit(ROWS_PER_BATCH),
      ({ id }) => id,
    ),
  count: countInvoices,
}

const INVOICE_LINE_COLUMNS = [
  textColumn('invoice_id', 'Identifiant du document'),
  textColumn('number', 'Numéro du document'),
  integerColumn('position', 'Rang de la ligne'),
  textColumn('kind', 'energy, accise, fee ou service'),
  textColumn('label', 'Ce qui est imprimé'),
  textColumn('prm', 'Point de livraison, vide où il n’y en a pas'),
  dayColumn('from_day', 'Premier jour'),
  dayColumn('to_day', 'Jour de fin, exclu'),
  integerColumn('wh', 'Énergie, vide où la ligne n’en vend pas', 'Wh'),
  integerColumn('price', 'Prix unitaire de l’énergie', '1/10\u202f000 €/kWh'),
  integerColumn('net_cents', 'Montant hors taxe', 'centime'),
  textColumn('vat_category', 'Catégorie de TVA'),
  integerColumn('vat_rate', 'Taux de TVA', '1/10\u202f000'),
]
/** A document imported from other software has no lines. */
const SnapshotLines = z.object({ lines: z.array(SnapshotLine).default([]) })
/** A document has some dozens of lines, and its snapshot is parsed whole in memory. */
const DOCUMENTS_PER_PAGE = 200

export const invoiceLineSource: DataSetSource = {
  about: 'Une ligne par ligne de document, comme elle a été imprimée.',
  columns: INVOICE_LINE_COLUMNS,
  async *read(asking, from): AsyncGenerator<DataBatch> {
    for (let after = from; ; ) {
      const some = await asking.db
        .select({ id: invoices.id, number: invoices.number, snapshot: invoices.snapshot })
        .from(invoices)
        .where(and(buildInvoiceFilter(asking), after ? gt(invoices.id, after) : undefined))
        .orderBy(asc(invoices.id))
        .limit(DOCUMENTS_PER_PAGE)
      const rows = some.flatMap(({ id, number, snapshot }) =>
        SnapshotLines.parse(snapshot).lines.map((line, at) => ({
          invoice_id: id,
          number,
          position: at + 1,
          kind: line.kind,
          label: line.label,
          prm: line.prm,
          from_day: line.from,
          to_day: line.to,
          wh: 'wh' in line ? line.wh : null,
          price: line.kind === 'energy' ? line.price : null,
          net_cents: line.net,
          vat_category: line.category,
          vat_rate: line.rate,
        })),
      )
      after = some.at(-1)?.id ?? after
      if (rows.length) yield { cursor: after, size: rows.length, data: toColumnTable(INVOICE_LINE_COLUMNS, rows) }
      if (some.length < DOCUMENTS_PER_PAGE) return
    }
  },
  /** Estimate: the invoice of one meter has about four lines. */
  count: async (asking) => (await countInvoices(asking)) * 4,
}

const buildPaymentFilter = (asking: DataSetQuery) =>
  and(
    paymentScope(asking.actor),
    whereDayInPeriod(payments.bookedOn, asking),
    asking.participantId ? eq(payments.buyerId, asking.participantId) : undefined,
  )
const PAYMENT_COLUMNS = [
  textColumn('id', 'Identifiant du règlement'),
  textColumn('kind', 'receipt, refund, return, undo, writeOff, charge…'),
  textColumn('method', 'transfer, debit, card…'),
  textColumn('seller_id', 'Identifiant du vendeur'),
  textColumn('buyer_id', 'Identifiant du participant'),
  dayColumn('booked_on', 'Jour où il compte'),
  integerColumn('amount_cents', 'Montant, positif\u00a0: la sorte dit de quel côté', 'centime'),
  instantColumn('created_at', 'Enregistrement', 'UTC'),
]

export const paymentSource: DataSetSource = {
  about: 'Une ligne par mouvement du compte d’un acheteur.',
  columns: PAYMENT_COLUMNS,
  read: (asking, from) =>
    readPages(
      PAYMENT_COLUMNS,
      from,
      (after) =>
        asking.db
          .select({
            id: payments.id,
            kind: payments.kind,
            method: payments.method,
            seller_id: payments.sellerId,
            buyer_id: payments.buyerId,
            booked_on: payments.bookedOn,
            amount_cents: payments.amount,
            created_at: payments.createdAt,
          })
          .from(payments)
          .where(and(buildPaymentFilter(asking), after ? gt(payments.id, after) : undefined))
          .orderBy(asc(payments.id))
          .limit(ROWS_PER_BATCH),
      ({ id }) => id,
    ),
  async count(asking) {
    const [sum] = await asking.db.select({ n: count() }).from(payments).where(buildPaymentFilter(asking))
    return sum?.n ?? 0
  },
}

const ENTRY_COLUMNS = [
  textColumn('seller_id', 'Identifiant de l’entité'),
  textColumn('journal', 'Code du journal'),
  integerColumn('number', 'Numéro, vide tant que le mois n’est pas verrouillé'),
  dayColumn('day', 'Jour de l’écriture'),
  textColumn('piece', 'Pièce'),
  dayColumn('piece_day', 'Jour de la pièce'),
  textColumn('label', 'Libellé'),
  textColumn('account', 'Compte'),
  textColumn('account_label', 'Libellé du compte'),
  textColumn('aux', 'Compte auxiliaire'),
  integerColumn('debit_cents', 'Débit', 'centime'),
  integerColumn('credit_cents', 'Crédit', 'centime'),
  textColumn('letter', 'Lettrage'),
]

/** Calendar years, clipped to the period. */
function* splitByYear(from: string, to: string): Generator<{ from: string; to: string }> {
  for (let start = from; start < to; ) {
    const next = `${Number(start.slice(0, 4)) + 1}-01-01`
    const end = next < to ? next : to
    yield { from: start, to: end }
    start = end
  }
}

/**
 * Reads one year of one entity at a time, since lettering is computed over a year; entries of open months are derived
 * from their source documents.
 */
async function* readEntryBatches({ db, actor, from, to }: DataSetQuery, after: string): AsyncGenerator<DataBatch> {
  const [doneSeller = '', doneTo = ''] = after.split(' ')
  const sellers = (await loadSellers(db, actor.companyId)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  for (const { id } of sellers) {
    if (after && id < doneSeller) continue
    const book = await loadBook(db, await loadEntity(db, actor.companyId, id))
    for (const span of splitByYear(after && id === doneSeller ? doneTo : from, to)) {
      const rows = (await loadEntries(db, book, span)).flatMap((entry) =>
        entry.lines.map((line) => ({
          seller_id: id,
          journal: entry.journalCode,
          number: entry.number,
          day: entry.day,
          piece: entry.pieceRef,
          piece_day: entry.pieceDay,
          label: entry.label,
          account: line.account,
          account_label: line.accountLabel,
          aux: line.aux,
          debit_cents: line.debit,
          credit_cents: line.credit,
          letter: line.letter,
        })),
      )
      if (rows.length) yield { cursor: `${id} ${span.to}`, size: rows.length, data: toColumnTable(ENTRY_COLUMNS, rows) }
    }
  }
}

export const entrySource: DataSetSource = {
  about: 'Une ligne par ligne d’écriture, de chaque entité.',
  columns: ENTRY_COLUMNS,
  read: readEntryBatches,
  async count(asking) {
    let sum = 0
    for await (const { size } of readEntryBatches(asking, '')) sum += size
    return sum
  },
}
