import { SnapshotLine } from '@voisol/contract/invoice-snapshot'
import { and, asc, count, eq, gt } from 'drizzle-orm'
import { z } from 'zod'
import { invoices, payments } from '../../../db/schema/index.ts'
import { invoiceScope } from '../../money/invoices/invoices.ts'
import { paymentScope } from '../../money/payments/payments.ts'
import {
  type Asking,
  BATCH,
  type Batch,
  day,
  instant,
  integer,
  OPERATION,
  paged,
  type Source,
  tableOf,
  text,
  within,
} from './data-set.ts'

const ofInvoices = (asking: Asking) =>
  and(
    invoiceScope(asking.actor),
    within(invoices.issuedOn, asking),
    asking.operationId ? eq(invoices.operationId, asking.operationId) : undefined,
    asking.participantId ? eq(invoices.buyerId, asking.participantId) : undefined,
  )
const countInvoices = async (asking: Asking) => {
  const [sum] = await asking.db.select({ n: count() }).from(invoices).where(ofInvoices(asking))
  return sum?.n ?? 0
}

const INVOICES = [
  text('id', 'Identifiant du document'),
  text('number', 'Numéro'),
  text('kind', 'invoice, complement, creditNote ou statement'),
  OPERATION,
  text('seller_id', 'Identifiant du vendeur'),
  text('buyer_id', 'Identifiant du participant facturé'),
  day('issued_on', 'Jour d’émission'),
  day('due_on', 'Échéance'),
  day('from_day', 'Premier jour de la période'),
  day('to_day', 'Jour de fin de la période, exclu'),
  integer('wh', 'Énergie facturée', 'Wh'),
  integer('net_cents', 'Montant hors taxe', 'centime'),
  integer('tax_cents', 'TVA', 'centime'),
  integer('gross_cents', 'Montant toutes taxes', 'centime'),
]

export const invoiceSource: Source = {
  about: 'Une ligne par document émis.',
  columns: INVOICES,
  read: (asking, from) =>
    paged(
      INVOICES,
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
          .where(and(ofInvoices(asking), after ? gt(invoices.id, after) : undefined))
          .orderBy(asc(invoices.id))
          .limit(BATCH),
      ({ id }) => id,
    ),
  count: countInvoices,
}

const LINES = [
  text('invoice_id', 'Identifiant du document'),
  text('number', 'Numéro du document'),
  integer('position', 'Rang de la ligne'),
  text('kind', 'energy, accise, fee ou service'),
  text('label', 'Ce qui est imprimé'),
  text('prm', 'Point de livraison, vide où il n’y en a pas'),
  day('from_day', 'Premier jour'),
  day('to_day', 'Jour de fin, exclu'),
  integer('wh', 'Énergie, vide où la ligne n’en vend pas', 'Wh'),
  integer('price', 'Prix unitaire de l’énergie', '1/10\u202f000 €/kWh'),
  integer('net_cents', 'Montant hors taxe', 'centime'),
  text('vat_category', 'Catégorie de TVA'),
  integer('vat_rate', 'Taux de TVA', '1/10\u202f000'),
]
/** A document that was taken over from elsewhere has none. */
const Lines = z.object({ lines: z.array(SnapshotLine).default([]) })
/** A document has some dozens of lines, each document its own file in memory. */
const DOCUMENTS = 200

export const invoiceLineSource: Source = {
  about: 'Une ligne par ligne de document, comme elle a été imprimée.',
  columns: LINES,
  async *read(asking, from): AsyncGenerator<Batch> {
    for (let after = from; ; ) {
      const some = await asking.db
        .select({ id: invoices.id, number: invoices.number, snapshot: invoices.snapshot })
        .from(invoices)
        .where(and(ofInvoices(asking), after ? gt(invoices.id, after) : undefined))
        .orderBy(asc(invoices.id))
        .limit(DOCUMENTS)
      const rows = some.flatMap(({ id, number, snapshot }) =>
        Lines.parse(snapshot).lines.map((line, at) => ({
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
      if (rows.length) yield { cursor: after, size: rows.length, data: tableOf(LINES, rows) }
      if (some.length < DOCUMENTS) return
    }
  },
  /** Some lines each: a document of one meter has about four. */
  count: async (asking) => (await countInvoices(asking)) * 4,
}

const ofPayments = (asking: Asking) =>
  and(
    paymentScope(asking.actor),
    within(payments.bookedOn, asking),
    asking.participantId ? eq(payments.buyerId, asking.participantId) : undefined,
  )
const PAYMENTS = [
  text('id', 'Identifiant du règlement'),
  text('kind', 'receipt, refund, return, undo, writeOff, charge…'),
  text('method', 'transfer, debit, card…'),
  text('seller_id', 'Identifiant du vendeur'),
  text('buyer_id', 'Identifiant du participant'),
  day('booked_on', 'Jour où il compte'),
  integer('amount_cents', 'Montant, positif\u00a0: la sorte dit de quel côté', 'centime'),
  instant('created_at', 'Enregistrement', 'UTC'),
]

export const paymentSource: Source = {
  about: 'Une ligne par mouvement du compte d’un acheteur.',
  columns: PAYMENTS,
  read: (asking, from) =>
    paged(
      PAYMENTS,
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
          .where(and(ofPayments(asking), after ? gt(payments.id, after) : undefined))
          .orderBy(asc(payments.id))
          .limit(BATCH),
      ({ id }) => id,
    ),
  async count(asking) {
    const [sum] = await asking.db.select({ n: count() }).from(payments).where(ofPayments(asking))
    return sum?.n ?? 0
  },
}
