import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bigNumber, createdAt, instant, version } from './columns.ts'
import { invoices } from './invoices.ts'
import { ownerColumns } from './owned.ts'
import { sellers } from './parties.ts'
import { bankAccounts } from './payments.ts'

/** An account with a provider of online payments: of a seller, or of the organiser who collects for others. */
export const onlineProviders = pgTable(
  'online_providers',
  {
    ...ownerColumns(),
    ownerId: uuid('owner_id').notNull(),
    /** local (the stand-in), test or live. */
    environment: text('environment').notNull(),
    /** Sealed; the end of it is what lists show. */
    key: text('key').notNull(),
    hint: text('hint').notNull(),
    /** What its messages are signed with, sealed; null until it was asked for them. */
    secret: text('secret'),
    hookId: text('hook_id').notNull().default(''),
    hookUrl: text('hook_url').notNull().default(''),
    /** As the provider names the account. */
    account: text('account').notNull().default(''),
    /** Where the money is until it is paid out. */
    accountId: uuid('account_id').notNull(),
    /** Also for sellers without one of their own. */
    everyone: boolean('everyone').notNull().default(false),
    card: boolean('card').notNull().default(true),
    debit: boolean('debit').notNull().default(false),
    testedAt: instant('tested_at'),
    lastHeardAt: instant('last_heard_at'),
    askedAt: instant('asked_at'),
    /** Messages whose signature proved nothing. */
    refused: integer('refused').notNull().default(0),
    refusedAt: instant('refused_at'),
    /** Nothing new is paid by it; what was is still followed. */
    closedAt: instant('closed_at'),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.ownerId], foreignColumns: [sellers.companyId, sellers.id] }),
    foreignKey({ columns: [t.companyId, t.accountId], foreignColumns: [bankAccounts.companyId, bankAccounts.id] }),
    uniqueIndex('online_providers_owner').on(t.companyId, t.ownerId).where(sql`${t.closedAt} is null`),
    uniqueIndex('online_providers_everyone').on(t.companyId).where(sql`${t.closedAt} is null and ${t.everyone}`),
    check('online_providers_environment', sql`${t.environment} in ('local', 'test', 'live')`),
  ],
)

/** An attempt to pay an invoice online. Its state follows from what the provider told. */
export const onlinePayments = pgTable(
  'online_payments',
  {
    ...ownerColumns(),
    providerId: uuid('provider_id').notNull(),
    invoiceId: uuid('invoice_id').notNull(),
    method: text('method').notNull(),
    /** Cents. */
    amount: bigNumber('amount').notNull(),
    net: bigNumber('net').notNull().default(0),
    state: text('state').notNull().default('open'),
    reason: text('reason').notNull().default(''),
    checkoutId: text('checkout_id').notNull(),
    /** Known once the payer has begun. */
    intentId: text('intent_id'),
    url: text('url').notNull(),
    expiresAt: instant('expires_at').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({
      columns: [t.companyId, t.providerId],
      foreignColumns: [onlineProviders.companyId, onlineProviders.id],
    }),
    foreignKey({ columns: [t.companyId, t.invoiceId], foreignColumns: [invoices.companyId, invoices.id] }),
    unique('online_payments_checkout').on(t.companyId, t.providerId, t.checkoutId),
    uniqueIndex('online_payments_intent')
      .on(t.companyId, t.providerId, t.intentId)
      .where(sql`${t.intentId} is not null`),
    index('online_payments_invoice').on(t.companyId, t.invoiceId),
    check('online_payments_method', sql`${t.method} in ('card', 'debit')`),
    check('online_payments_amount', sql`${t.amount} > 0 and ${t.net} >= 0`),
  ],
)

/** Every message of a provider, once, with the one thing it says; whose it is follows from what it names, whenever that is known. */
export const onlineEvents = pgTable(
  'online_events',
  {
    ...ownerColumns(),
    providerId: uuid('provider_id').notNull(),
    /** As the provider names it: the same one again changes nothing. */
    eventId: text('event_id').notNull(),
    type: text('type').notNull(),
    checkoutId: text('checkout_id').notNull().default(''),
    intentId: text('intent_id').notNull().default(''),
    /** The attempt it says it is about. */
    reference: text('reference').notNull().default(''),
    /** Null where it says nothing that matters here. */
    fact: text('fact'),
    object: text('object').notNull().default(''),
    amount: bigNumber('amount').notNull().default(0),
    reason: text('reason').notNull().default(''),
    at: instant('at').notNull(),
    createdAt: createdAt(),
    settledAt: instant('settled_at'),
    settledBy: text('settled_by'),
    note: text('note'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({
      columns: [t.companyId, t.providerId],
      foreignColumns: [onlineProviders.companyId, onlineProviders.id],
    }),
    unique('online_events_event').on(t.companyId, t.providerId, t.eventId),
    index('online_events_intent').on(t.companyId, t.providerId, t.intentId),
    index('online_events_reference').on(t.companyId, t.providerId, t.reference),
    index('online_events_checkout').on(t.companyId, t.providerId, t.checkoutId),
  ],
)
