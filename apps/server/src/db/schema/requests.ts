import { index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, instant, version } from './columns.ts'
import { siteOwned } from './site-owned.ts'

/** What visitors of the site asked for. */
export const requests = pgTable(
  'requests',
  {
    ...siteOwned(),
    kind: text('kind').notNull(),
    status: text('status').notNull().default('new'),
    firstName: text('first_name').notNull().default(''),
    lastName: text('last_name').notNull().default(''),
    email: text('email').notNull(),
    phone: text('phone').notNull().default(''),
    company: text('company').notNull().default(''),
    subject: text('subject').notNull().default(''),
    /** The slug of what was asked for. */
    about: text('about').notNull().default(''),
    message: text('message').notNull().default(''),
    note: text('note').notNull().default(''),
    handledBy: text('handled_by').notNull().default(''),
    subscription: text('subscription').notNull().default('none'),
    /** A fingerprint of what was asked: the same sent twice is one request. */
    fingerprint: text('fingerprint').notNull(),
    answeredAt: instant('answered_at'),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    uniqueIndex('requests_fingerprint').on(t.companyId, t.fingerprint),
    index('requests_newest').on(t.companyId, t.createdAt.desc()),
  ],
)
