import { ADD_ON_NAMES, PLAN_NAMES } from '@voisol/contract/plan-prices'
import { sql } from 'drizzle-orm'
import { boolean, check, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bigNumber, createdAt, day, version } from './columns.ts'
import { companies } from './companies.ts'
import { ownerColumns } from './owned.ts'

/** The names of a fixed list, as a check constraint compares them. */
const anyOf = (names: readonly string[]) => sql.raw(names.map((name) => `'${name}'`).join(', '))

/** What a company pays the keeper of the installation for. One without a row is limited by nothing. */
export const subscriptions = pgTable(
  'subscriptions',
  {
    companyId: integer('company_id')
      .primaryKey()
      .references(() => companies.id),
    /** Whether it binds: the operator may cease to sell subscriptions, and nothing is forgotten. */
    held: boolean('held').notNull().default(true),
    /** trial, active, ending, ended */
    state: text('state').notNull().default('trial'),
    plan: text('plan'),
    /** month, year */
    period: text('period').notNull().default('month'),
    /** Cents of a period before tax, as they were agreed. */
    price: bigNumber('price'),
    /** The first day of the first plan since the last trial or end: money back is counted from it. */
    startedOn: day('started_on'),
    /** The first day of the periods as they run now. */
    anchorOn: day('anchor_on'),
    paidFrom: day('paid_from'),
    paidTo: day('paid_to'),
    /** What follows at the end of the period. */
    nextPlan: text('next_plan'),
    nextPeriod: text('next_period'),
    /** As whom the keeper invoiced it before `subscriptionBuyers` said so; written for the version before, read by nobody. */
    sellerCompanyId: integer('seller_company_id'),
    buyerId: uuid('buyer_id'),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    check('subscriptions_state', sql`${t.state} in ('trial', 'active', 'ending', 'ended')`),
    check('subscriptions_period', sql`${t.period} in ('month', 'year')`),
    // A row of another plan would be read by every page that shows one.
    check('subscriptions_plan', sql`${t.plan} in (${anyOf(PLAN_NAMES)}) and ${t.nextPlan} in (${anyOf(PLAN_NAMES)})`),
    check('subscriptions_next_period', sql`${t.nextPeriod} in ('month', 'year')`),
    check('subscriptions_paid', sql`${t.state} in ('trial', 'ended') or ${t.paidTo} is not null`),
  ],
)

/** What became of it, day by day. */
export const subscriptionChanges = pgTable(
  'subscription_changes',
  {
    ...ownerColumns(),
    on: day('on_day').notNull(),
    kind: text('kind').notNull(),
    plan: text('plan').notNull(),
    period: text('period').notNull(),
    by: text('by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.id] })],
)

export const subscriptionAddOns = pgTable(
  'subscription_add_ons',
  {
    ...ownerColumns(),
    kind: text('kind').notNull(),
    price: bigNumber('price').notNull(),
    /** ordered (to be done once), running, ending, done */
    state: text('state').notNull(),
    orderedOn: day('ordered_on').notNull(),
    /** Of what is paid by the month: until when it is. */
    paidTo: day('paid_to'),
    by: text('by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    // What is paid by the month is had once.
    uniqueIndex('subscription_add_ons_running').on(t.companyId, t.kind).where(sql`${t.state} in ('running', 'ending')`),
    check('subscription_add_ons_kind', sql`${t.kind} in (${anyOf(ADD_ON_NAMES)})`),
    check('subscription_add_ons_state', sql`${t.state} in ('ordered', 'running', 'ending', 'done')`),
  ],
)

/**
 * As which customer the keeper invoices a company. The row is the keeper's: what a company writes for itself cannot name
 * another's customer as its own.
 */
export const subscriptionBuyers = pgTable(
  'subscription_buyers',
  {
    companyId: integer('company_id').notNull(),
    subscriberCompanyId: integer('subscriber_company_id')
      .notNull()
      .references(() => companies.id),
    participantId: uuid('participant_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.subscriberCompanyId] }),
    uniqueIndex('subscription_buyers_participant').on(t.companyId, t.participantId),
  ],
)

/** The documents that the keeper issued to the company: they stand in the keeper's own series. */
export const subscriptionInvoices = pgTable(
  'subscription_invoices',
  {
    companyId: integer('company_id')
      .notNull()
      .references(() => companies.id),
    sellerCompanyId: integer('seller_company_id').notNull(),
    invoiceId: uuid('invoice_id').notNull(),
    /** plan, addOn, credit */
    kind: text('kind').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.invoiceId] })],
)

/** Messages that left for a company, by month: the queue forgets them after some days. */
export const mailMonths = pgTable(
  'mail_months',
  {
    companyId: integer('company_id')
      .notNull()
      .references(() => companies.id),
    month: day('month').notNull(),
    sent: integer('sent').notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.month] })],
)
