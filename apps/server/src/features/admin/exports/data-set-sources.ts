import { DATA_SET_IDS, DATA_SETS, type DataSet } from '@voisol/contract/data-sets'
import { SnapshotLine } from '@voisol/contract/invoice-snapshot'
import { and, asc, count, eq, gt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { withinOperationLimit } from '../../../core/access-scopes.ts'
import { invoices, operations, participants, participations, payments, points } from '../../../db/schema/index.ts'
import { loadBook, loadEntity, loadEntries } from '../../accounting/books/index.ts'
import { invoiceScope } from '../../billing/invoices/index.ts'
import { loadSellers } from '../../billing/parties/index.ts'
import { pointScope } from '../../energy/participants/index.ts'
import { paymentScope } from '../../payments/payments/index.ts'
import type { DataSetSource } from './data-set.ts'
import {
  type DataBatch,
  type DataSetQuery,
  DIRECTION_COLUMN,
  dayColumn,
  instantColumn,
  integerColumn,
  OPERATION_COLUMN,
  PRM_COLUMN,
  ROWS_PER_BATCH,
  readPages,
  textColumn,
  toColumnTable,
  whereDayInPeriod,
} from './data-set.ts'
import { energySource, readingSource, shareDaySource, shareSource } from './energy-data-sets.ts'
import { forecastSource } from './forecast-data-set.ts'
import { auditSource, buildParticipationFilter, eventSource } from './people-data-sets.ts'

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

const invoiceSource: DataSetSource = {
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

const invoiceLineSource: DataSetSource = {
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

const paymentSource: DataSetSource = {
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

const entrySource: DataSetSource = {
  about: 'Une ligne par ligne d’écriture, de chaque entité.',
  columns: ENTRY_COLUMNS,
  read: readEntryBatches,
  async count(asking) {
    let sum = 0
    for await (const { size } of readEntryBatches(asking, '')) sum += size
    return sum
  },
}

const buildOperationFilter = ({ actor, operationId }: DataSetQuery) =>
  and(
    eq(operations.companyId, actor.companyId),
    withinOperationLimit(actor, operations.id),
    operationId ? eq(operations.id, operationId) : undefined,
  )

const OPERATION_COLUMNS = [
  textColumn('id', 'Identifiant de l’opération'),
  textColumn('name', 'Nom'),
  textColumn('acc_number', 'Numéro ACC donné par le distributeur'),
  textColumn('status', 'État'),
  textColumn('postal_code', 'Code postal'),
  textColumn('city', 'Ville'),
  integerColumn('step_minutes', 'Pas des courbes', 'min'),
  dayColumn('starts_on', 'Premier jour'),
  dayColumn('ends_on', 'Jour de fin, exclu'),
  instantColumn('created_at', 'Création', 'UTC'),
]

const operationSource: DataSetSource = {
  about: 'Une ligne par opération, telle qu’elle est aujourd’hui.',
  columns: OPERATION_COLUMNS,
  read: (asking, from) =>
    readPages(
      OPERATION_COLUMNS,
      from,
      (after) =>
        asking.db
          .select({
            id: operations.id,
            name: operations.name,
            acc_number: operations.accNumber,
            status: operations.status,
            postal_code: operations.postalCode,
            city: operations.city,
            step_minutes: operations.stepMinutes,
            starts_on: operations.startsOn,
            ends_on: operations.endsOn,
            created_at: operations.createdAt,
          })
          .from(operations)
          .where(and(buildOperationFilter(asking), after ? gt(operations.id, after) : undefined))
          .orderBy(asc(operations.id))
          .limit(ROWS_PER_BATCH),
      ({ id }) => id,
    ),
  async count(asking) {
    const [sum] = await asking.db.select({ n: count() }).from(operations).where(buildOperationFilter(asking))
    return sum?.n ?? 0
  },
}

const PARTICIPANT_COLUMNS = [
  textColumn('id', 'Identifiant de la participation'),
  OPERATION_COLUMN,
  textColumn('participant_id', 'Identifiant du participant'),
  textColumn('name', 'Nom affiché'),
  textColumn('kind', 'person ou organisation'),
  PRM_COLUMN,
  DIRECTION_COLUMN,
  textColumn('segment', 'Segment du point'),
  dayColumn('starts_on', 'Premier jour dans l’opération'),
  dayColumn('ends_on', 'Jour de sortie, exclu'),
]

const participantSource: DataSetSource = {
  about: 'Une ligne par participation\u00a0: une personne, un point, une opération, ses jours.',
  columns: PARTICIPANT_COLUMNS,
  read: (asking, from) =>
    readPages(
      PARTICIPANT_COLUMNS,
      from,
      (after) =>
        asking.db
          .select({
            id: participations.id,
            operation_id: participations.operationId,
            participant_id: participations.participantId,
            name: participants.name,
            kind: participants.kind,
            prm: points.prm,
            direction: points.direction,
            segment: points.segment,
            starts_on: participations.startsOn,
            ends_on: participations.endsOn,
          })
          .from(participations)
          .innerJoin(
            participants,
            and(
              eq(participants.companyId, participations.companyId),
              eq(participants.id, participations.participantId),
            ),
          )
          .innerJoin(points, and(eq(points.companyId, participations.companyId), eq(points.id, participations.pointId)))
          .where(and(buildParticipationFilter(asking), after ? gt(participations.id, after) : undefined))
          .orderBy(asc(participations.id))
          .limit(ROWS_PER_BATCH),
      ({ id }) => id,
    ),
  async count(asking) {
    const [sum] = await asking.db.select({ n: count() }).from(participations).where(buildParticipationFilter(asking))
    return sum?.n ?? 0
  },
}

/** The points of the filtered operation or participant. */
const buildPointFilter = (asking: DataSetQuery) =>
  and(
    pointScope(asking.actor),
    asking.operationId || asking.participantId
      ? sql`${points.id} in (select ${participations.pointId} from ${participations} where ${buildParticipationFilter(asking)})`
      : undefined,
  )

const POINT_COLUMNS = [
  textColumn('id', 'Identifiant du point'),
  PRM_COLUMN,
  DIRECTION_COLUMN,
  textColumn('label', 'Libellé'),
  textColumn('segment', 'Segment'),
  integerColumn('subscribed_va', 'Puissance souscrite', 'VA'),
  integerColumn('peak_watts', 'Puissance crête de la centrale', 'W'),
  dayColumn('commissioned_on', 'Mise en service'),
  textColumn('address', 'Adresse'),
]

const pointSource: DataSetSource = {
  about: 'Une ligne par point et par sens\u00a0: ce qu’il soutire, ou ce qu’il injecte.',
  columns: POINT_COLUMNS,
  read: (asking, from) =>
    readPages(
      POINT_COLUMNS,
      from,
      (after) =>
        asking.db
          .select({
            id: points.id,
            prm: points.prm,
            direction: points.direction,
            label: points.label,
            segment: points.segment,
            subscribed_va: points.subscribedVa,
            peak_watts: points.peakWatts,
            commissioned_on: points.commissionedOn,
            address: points.address,
          })
          .from(points)
          .where(and(buildPointFilter(asking), after ? gt(points.id, after) : undefined))
          .orderBy(asc(points.id))
          .limit(ROWS_PER_BATCH),
      ({ id }) => id,
    ),
  async count(asking) {
    const [sum] = await asking.db.select({ n: count() }).from(points).where(buildPointFilter(asking))
    return sum?.n ?? 0
  },
}

/** The reader of each data set, used by exports, the BI feed and scheduled shipments. */
export const DATA_SET_SOURCES: Record<DataSet, DataSetSource> = {
  operations: operationSource,
  participants: participantSource,
  points: pointSource,
  readings: readingSource,
  allocations: shareSource,
  'allocation-days': shareDaySource,
  energies: energySource,
  forecasts: forecastSource,
  invoices: invoiceSource,
  'invoice-lines': invoiceLineSource,
  payments: paymentSource,
  entries: entrySource,
  audit: auditSource,
  events: eventSource,
}

/** The data dictionary for the programs that read the feed. */
export const buildFeedDictionary = () =>
  DATA_SET_IDS.map((id) => {
    const { label, period } = DATA_SETS[id]
    return { id, label, path: `/api/feed/${id}`, byMonth: period, columns: DATA_SET_SOURCES[id].columns }
  })
