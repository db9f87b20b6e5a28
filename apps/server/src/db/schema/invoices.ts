import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bigNumber, bytes, createdAt, day, instant } from './columns.ts'
import { files } from './files.ts'
import { operations } from './operations.ts'
import { ownerColumns } from './owned.ts'
import { participants } from './participants.ts'
import { sellers } from './parties.ts'

/** A month of an operation that is closed: what it was computed from stands in its computations. */
export const billingMonths = pgTable(
  'billing_months',
  {
    ...ownerColumns(),
    operationId: uuid('operation_id').notNull(),
    /** Its first day. */
    month: day('month').notNull(),
    /** closed, then issued. */
    status: text('status').notNull(),
    /** Why it was closed on provisional figures, or over a warning. */
    reason: text('reason').notNull().default(''),
    closedAt: instant('closed_at').notNull(),
    closedBy: text('closed_by').notNull(),
    issuedAt: instant('issued_at'),
    issuedBy: text('issued_by').notNull().default(''),
    /** When it was last held against today's data. */
    lookedAt: instant('looked_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.operationId], foreignColumns: [operations.companyId, operations.id] }),
    uniqueIndex('billing_months_once').on(t.companyId, t.operationId, t.month),
    check('billing_months_status', sql`${t.status} in ('closed', 'issued')`),
  ],
)

/** What a month was computed from and came to: its close first, then each correction. Nothing of it changes. */
export const billingComputations = pgTable(
  'billing_computations',
  {
    ...ownerColumns(),
    monthId: uuid('month_id').notNull(),
    number: integer('number').notNull(),
    /** Close, or what made it be computed again. */
    cause: jsonb('cause').notNull(),
    /** Gzipped JSON: the `MonthInput`, and where it came from (runs, keys, tariffs, settings). */
    input: bytes('input').notNull(),
    /** Gzipped JSON: units by member, documents, notices. */
    outcome: bytes('outcome').notNull(),
    /** Net, tax, gross, watt-hours, documents: what lists show. */
    totals: jsonb('totals').notNull(),
    /** Of the input and the outcome. */
    hash: text('hash').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.monthId], foreignColumns: [billingMonths.companyId, billingMonths.id] }),
    uniqueIndex('billing_computations_number').on(t.companyId, t.monthId, t.number),
  ],
)

/** The numbers of a seller in a year of issue; its row is locked while one is taken. */
export const invoiceSeries = pgTable(
  'invoice_series',
  {
    ...ownerColumns(),
    sellerId: uuid('seller_id').notNull(),
    /** invoice, or statement: what is told and owes nothing has numbers of its own. */
    kind: text('kind').notNull(),
    year: integer('year').notNull(),
    prefix: text('prefix').notNull(),
    last: integer('last').notNull().default(0),
    /** The last number that was taken elsewhere, before the operation was taken over. */
    before: integer('before').notNull().default(0),
    lastOn: day('last_on'),
    lastHash: text('last_hash').notNull().default(''),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.sellerId], foreignColumns: [sellers.companyId, sellers.id] }),
    uniqueIndex('invoice_series_year').on(t.companyId, t.sellerId, t.kind, t.year),
    // No two series of a company write the same numbers.
    uniqueIndex('invoice_series_prefix').on(t.companyId, t.prefix, t.year),
  ],
)

/** A document as it was issued. It never changes: a correction is another document. */
export const invoices = pgTable(
  'invoices',
  {
    ...ownerColumns(),
    /** None where it is for no operation: a subscription. */
    operationId: uuid('operation_id'),
    computationId: uuid('computation_id'),
    sellerId: uuid('seller_id').notNull(),
    /** A participant; null where a producer is invoiced by the organiser. */
    buyerId: uuid('buyer_id'),
    /** The producer who is invoiced by the organiser. */
    clientSellerId: uuid('client_seller_id'),
    /** invoice, complement, creditNote, statement */
    kind: text('kind').notNull(),
    /** A fee outside VAT that stands on a document of its own. */
    apart: boolean('apart').notNull().default(false),
    seriesId: uuid('series_id').notNull(),
    position: integer('position').notNull(),
    number: text('number').notNull(),
    issuedOn: day('issued_on').notNull(),
    dueOn: day('due_on').notNull(),
    from: day('from_day').notNull(),
    to: day('to_day').notNull(),
    wh: bigNumber('wh').notNull(),
    /** Cents, as printed: those of a credit note are positive. */
    net: bigNumber('net').notNull(),
    tax: bigNumber('tax').notNull(),
    gross: bigNumber('gross').notNull(),
    /** The document it corrects. */
    correctsId: uuid('corrects_id'),
    reason: text('reason').notNull().default(''),
    /** `InvoiceSnapshot` of the contract: all that is printed and where it came from. */
    snapshot: jsonb('snapshot').notNull(),
    /** Of the snapshot and of the hash before it in its series. */
    hash: text('hash').notNull(),
    previousHash: text('previous_hash').notNull(),
    /** Of the hash, with a key that the database does not hold. Null on what was issued before documents were signed. */
    signature: text('signature'),
    issuedAt: instant('issued_at').notNull(),
    issuedBy: text('issued_by').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.operationId], foreignColumns: [operations.companyId, operations.id] }),
    foreignKey({ columns: [t.companyId, t.sellerId], foreignColumns: [sellers.companyId, sellers.id] }),
    foreignKey({ columns: [t.companyId, t.buyerId], foreignColumns: [participants.companyId, participants.id] }),
    foreignKey({
      columns: [t.companyId, t.computationId],
      foreignColumns: [billingComputations.companyId, billingComputations.id],
    }),
    foreignKey({ columns: [t.companyId, t.seriesId], foreignColumns: [invoiceSeries.companyId, invoiceSeries.id] }),
    uniqueIndex('invoices_number').on(t.companyId, t.number),
    uniqueIndex('invoices_position').on(t.companyId, t.seriesId, t.position),
    // What a computation gives a seller and a buyer is issued once, whoever asks again.
    uniqueIndex('invoices_once').on(t.companyId, t.computationId, t.sellerId, t.buyerId, t.apart),
    index('invoices_buyer').on(t.companyId, t.buyerId, t.issuedOn),
    index('invoices_operation').on(t.companyId, t.operationId, t.from),
    index('invoices_corrects').on(t.companyId, t.correctsId),
    check('invoices_kind', sql`${t.kind} in ('invoice', 'complement', 'creditNote', 'statement')`),
  ],
)

/**
 * A place in a series that was signed as it stood on a day: all that was issued before it is held by its hash. The row of no
 * series says when the documents of before signatures were anchored, and that none are any more.
 */
export const invoiceAnchors = pgTable(
  'invoice_anchors',
  {
    companyId: integer('company_id').notNull(),
    id: uuid('id').notNull().defaultRandom(),
    seriesId: uuid('series_id'),
    position: integer('position').notNull(),
    hash: text('hash').notNull(),
    /** upgrade: vouches for what was issued unsigned; rotation: signed anew with another key; done: see above. */
    kind: text('kind').notNull(),
    anchoredAt: instant('anchored_at').notNull(),
    signature: text('signature').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    index('invoice_anchors_series').on(t.companyId, t.seriesId, t.position),
    check('invoice_anchors_kind', sql`${t.kind} in ('upgrade', 'rotation', 'done')`),
  ],
)

/** The files of an issued document, made of its snapshot; made again they are the same. */
export const invoiceFiles = pgTable(
  'invoice_files',
  {
    companyId: integer('company_id').notNull(),
    invoiceId: uuid('invoice_id').notNull(),
    /** pdf or xml */
    kind: text('kind').notNull(),
    fileId: uuid('file_id').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.invoiceId, t.kind] }),
    foreignKey({ columns: [t.companyId, t.invoiceId], foreignColumns: [invoices.companyId, invoices.id] }),
    foreignKey({ columns: [t.companyId, t.fileId], foreignColumns: [files.companyId, files.id] }),
  ],
)

/** What became of a document on its way: each step is a row, the last one of a channel is its state. */
export const invoiceDeliveries = pgTable(
  'invoice_deliveries',
  {
    ...ownerColumns(),
    invoiceId: uuid('invoice_id').notNull(),
    /** mail, portal, pa, chorus */
    channel: text('channel').notNull(),
    /** waiting, sent, read, refused, failed */
    state: text('state').notNull(),
    detail: text('detail').notNull().default(''),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.invoiceId], foreignColumns: [invoices.companyId, invoices.id] }),
    index('invoice_deliveries_invoice').on(t.companyId, t.invoiceId, t.createdAt),
  ],
)

/** Something changed under a month that was issued: to be looked at, then settled or left. */
export const billingReviews = pgTable(
  'billing_reviews',
  {
    ...ownerColumns(),
    monthId: uuid('month_id').notNull(),
    /** `CorrectionCause` of the contract: runs, quantities, membership, tariff. */
    causes: jsonb('causes').notNull(),
    /** `CorrectionSummary`: what it comes to, as of when it was raised. */
    summary: jsonb('summary').notNull(),
    /** open, settled (documents, or cents that are held), left */
    state: text('state').notNull(),
    raisedAt: instant('raised_at').notNull(),
    decidedAt: instant('decided_at'),
    decidedBy: text('decided_by').notNull().default(''),
    reason: text('reason').notNull().default(''),
    computationId: uuid('computation_id'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.monthId], foreignColumns: [billingMonths.companyId, billingMonths.id] }),
    uniqueIndex('billing_reviews_open').on(t.companyId, t.monthId).where(sql`${t.state} = 'open'`),
    check('billing_reviews_state', sql`${t.state} in ('open', 'settled', 'left')`),
  ],
)

/** A producer's month of issue as it was told: sales, fees, what is paid. */
export const producerStatements = pgTable(
  'producer_statements',
  {
    ...ownerColumns(),
    sellerId: uuid('seller_id').notNull(),
    month: day('month').notNull(),
    snapshot: jsonb('snapshot').notNull(),
    /** The organiser's invoice of its fees. */
    invoiceId: uuid('invoice_id'),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.sellerId], foreignColumns: [sellers.companyId, sellers.id] }),
    uniqueIndex('producer_statements_month').on(t.companyId, t.sellerId, t.month),
  ],
)
