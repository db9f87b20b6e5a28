import type { Proof } from '@voisol/contract/signatures'
import { sql } from 'drizzle-orm'
import {
  boolean,
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
import { createdAt, day, instant, version } from './columns.ts'
import { companies } from './companies.ts'
import { files } from './files.ts'
import { operations } from './operations.ts'
import { ownerColumns } from './owned.ts'

/** How one joins an operation: what is told to anybody, what is signed, and whether it is open. */
export const joinPages = pgTable(
  'join_pages',
  {
    companyId: integer('company_id')
      .notNull()
      .references(() => companies.id),
    operationId: uuid('operation_id').notNull(),
    /** The readable part of the address; the company's number follows it there, so that no company can take another's. */
    slug: text('slug').notNull(),
    isOpen: boolean('is_open').notNull().default(false),
    presentation: text('presentation').notNull().default(''),
    conditions: text('conditions').notNull().default(''),
    agreement: text('agreement').notNull().default(''),
    agreementVersion: integer('agreement_version').notNull().default(1),
    noticeDays: integer('notice_days').notNull().default(30),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.operationId] }),
    foreignKey({
      columns: [t.companyId, t.operationId],
      foreignColumns: [operations.companyId, operations.id],
    }).onDelete('cascade'),
    uniqueIndex('join_pages_slug').on(t.companyId, t.slug),
  ],
)

/** Somebody asks to come into an operation, or to leave it. What was signed outlives the participation it led to. */
export const applications = pgTable(
  'applications',
  {
    ...ownerColumns(),
    operationId: uuid('operation_id').notNull(),
    kind: text('kind').notNull(),
    state: text('state').notNull(),
    participantKind: text('participant_kind').notNull().default('person'),
    name: text('name').notNull(),
    firstName: text('first_name').notNull().default(''),
    lastName: text('last_name').notNull().default(''),
    siren: text('siren').notNull().default(''),
    email: text('email').notNull(),
    phone: text('phone').notNull().default(''),
    address: text('address').notNull().default(''),
    postalCode: text('postal_code').notNull().default(''),
    city: text('city').notNull().default(''),
    prm: text('prm').notNull(),
    message: text('message').notNull().default(''),
    consents: jsonb('consents').$type<{ purpose: string; version: string }[]>().notNull().default([]),
    /** Of a departure, whose and from where; of an entry, what it became. */
    participantId: uuid('participant_id'),
    participationId: uuid('participation_id'),
    userId: uuid('user_id'),
    wantedOn: day('wanted_on'),
    newAddress: text('new_address').notNull().default(''),
    successorName: text('successor_name').notNull().default(''),
    successorEmail: text('successor_email').notNull().default(''),
    proof: jsonb('proof').$type<Proof>(),
    fileId: uuid('file_id'),
    effectiveOn: day('effective_on'),
    reason: text('reason').notNull().default(''),
    decidedAt: instant('decided_at'),
    decidedBy: text('decided_by').notNull().default(''),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({
      columns: [t.companyId, t.operationId],
      foreignColumns: [operations.companyId, operations.id],
    }).onDelete('cascade'),
    foreignKey({ columns: [t.companyId, t.fileId], foreignColumns: [files.companyId, files.id] }),
    index('applications_state').on(t.companyId, t.state),
    /** Two who press at once ask once. */
    uniqueIndex('applications_open_entry')
      .on(t.companyId, t.operationId, t.email, t.prm)
      .where(sql`${t.kind} = 'join' and ${t.state} in ('draft', 'verified', 'waiting')`),
    uniqueIndex('applications_open_departure')
      .on(t.companyId, t.participationId)
      .where(sql`${t.kind} <> 'join' and ${t.state} = 'waiting'`),
  ],
)
