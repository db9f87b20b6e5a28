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
import { createdAt, day, version } from './columns.ts'
import { files } from './files.ts'
import { operations } from './operations.ts'
import { ownerColumns } from './owned.ts'
import { participants } from './participants.ts'

const postal = () => ({
  address: text('address').notNull().default(''),
  postalCode: text('postal_code').notNull().default(''),
  city: text('city').notNull().default(''),
  country: text('country').notNull().default('FR'),
})

/** In whose name invoices are made: a producer, or the organiser for its own fees (no participant). */
export const sellers = pgTable(
  'sellers',
  {
    ...ownerColumns(),
    participantId: uuid('participant_id'),
    name: text('name').notNull(),
    legalForm: text('legal_form').notNull().default(''),
    siren: text('siren').notNull().default(''),
    siret: text('siret').notNull().default(''),
    vatNumber: text('vat_number').notNull().default(''),
    ...postal(),
    email: text('email').notNull().default(''),
    phone: text('phone').notNull().default(''),
    /** Sealed, as a participant's is; its end is what lists show. */
    iban: text('iban'),
    ibanEnd: text('iban_end').notNull().default(''),
    bic: text('bic').notNull().default(''),
    /** Begins every number of its series; nobody else in the company has it. */
    prefix: text('prefix').notNull(),
    /** Of a public seller: its number at PayFiP, under which its invoices are paid; empty elsewhere. */
    payfip: text('payfip').notNull().default(''),
    /** What the organiser asks of this producer: parts of `FeePart`, and the rate of VAT on their sum. */
    managementFees: jsonb('management_fees').notNull().default([]),
    managementFeeRate: integer('management_fee_rate').notNull().default(2000),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.participantId], foreignColumns: [participants.companyId, participants.id] }),
    uniqueIndex('sellers_participant').on(t.companyId, t.participantId).where(sql`${t.participantId} is not null`),
    uniqueIndex('sellers_prefix').on(t.companyId, t.prefix),
  ],
)

/** How a seller stands towards VAT from a day on, until its next row. */
export const sellerVat = pgTable(
  'seller_vat',
  {
    ...ownerColumns(),
    sellerId: uuid('seller_id').notNull(),
    startsOn: day('starts_on').notNull(),
    mode: text('mode').notNull(),
    /** 1/100 %. */
    rate: integer('rate').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.sellerId], foreignColumns: [sellers.companyId, sellers.id] }),
    uniqueIndex('seller_vat_day').on(t.companyId, t.sellerId, t.startsOn),
    check('seller_vat_mode', sql`${t.mode} in ('standard', 'exempt', 'outside', 'elsewhere')`),
  ],
)

/** A producer's word that invoices are made in its name, from one day to another, with the signed file. */
export const billingMandates = pgTable(
  'billing_mandates',
  {
    ...ownerColumns(),
    sellerId: uuid('seller_id').notNull(),
    startsOn: day('starts_on').notNull(),
    endsOn: day('ends_on'),
    signedOn: day('signed_on').notNull(),
    /** Whether the organiser also collects for it: it debits in the producer's stead, and pays on. */
    collects: boolean('collects').notNull().default(false),
    fileId: uuid('file_id'),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.sellerId], foreignColumns: [sellers.companyId, sellers.id] }),
    foreignKey({ columns: [t.companyId, t.fileId], foreignColumns: [files.companyId, files.id] }),
    index('billing_mandates_seller').on(t.companyId, t.sellerId, t.startsOn),
    check('billing_mandates_order', sql`${t.endsOn} is null or ${t.endsOn} > ${t.startsOn}`),
  ],
)

/** People whom a tariff may name together, such as those of a social price. */
export const buyerGroups = pgTable(
  'buyer_groups',
  {
    ...ownerColumns(),
    name: text('name').notNull(),
    note: text('note').notNull().default(''),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.id] }), uniqueIndex('buyer_groups_name').on(t.companyId, t.name)],
)

/** What invoices need of a participant beyond its sheet; one without a row is invoiced under its name and address. */
export const buyers = pgTable(
  'buyers',
  {
    companyId: integer('company_id').notNull(),
    participantId: uuid('participant_id').notNull(),
    kind: text('kind').notNull(),
    /** Printed instead of the participant's name where it differs. */
    legalName: text('legal_name').notNull().default(''),
    /** Others who hold the dwelling with the participant. */
    jointHolders: text('joint_holders').array().notNull().default([]),
    siret: text('siret').notNull().default(''),
    vatNumber: text('vat_number').notNull().default(''),
    serviceCode: text('service_code').notNull().default(''),
    engagement: text('engagement').notNull().default(''),
    ...postal(),
    email: text('email').notNull().default(''),
    /** How invoices reach it: mail, portal, chorus. */
    delivery: text('delivery').notNull().default('mail'),
    groupId: uuid('group_id'),
    acciseClass: text('accise_class').notNull().default(''),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.participantId] }),
    foreignKey({ columns: [t.companyId, t.participantId], foreignColumns: [participants.companyId, participants.id] }),
    foreignKey({ columns: [t.companyId, t.groupId], foreignColumns: [buyerGroups.companyId, buyerGroups.id] }),
    check('buyers_kind', sql`${t.kind} in ('person', 'company', 'public')`),
    check('buyers_delivery', sql`${t.delivery} in ('mail', 'portal', 'chorus')`),
  ],
)

/** How an operation is billed. */
export const operationBilling = pgTable(
  'operation_billing',
  {
    companyId: integer('company_id').notNull(),
    operationId: uuid('operation_id').notNull(),
    /** No sale: what is shared among the buildings of one owner is told, not invoiced. */
    patrimonial: boolean('patrimonial').notNull().default(false),
    monthsPerInvoice: integer('months_per_invoice').notNull().default(1),
    /** The organiser as a seller of fees. */
    organiserId: uuid('organiser_id'),
    /** To warn of: what a supplier asks, and what the surplus is worth; 1/10 000 € per kWh. */
    supplierPrice: integer('supplier_price'),
    surplusPrice: integer('surplus_price'),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.operationId] }),
    foreignKey({ columns: [t.companyId, t.operationId], foreignColumns: [operations.companyId, operations.id] }),
    foreignKey({ columns: [t.companyId, t.organiserId], foreignColumns: [sellers.companyId, sellers.id] }),
    check('operation_billing_months', sql`${t.monthsPerInvoice} in (1, 2, 3, 6, 12)`),
  ],
)
