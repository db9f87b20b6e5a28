import type { SecondFactorRule } from '@voisol/contract/companies'
import { sql } from 'drizzle-orm'
import { type AnyPgColumn, boolean, check, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, instant, version } from './columns.ts'

export const companies = pgTable(
  'companies',
  {
    id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
    name: text('name').notNull(),
    legalName: text('legal_name').notNull().default(''),
    siren: text('siren').notNull().default(''),
    address: text('address').notNull().default(''),
    email: text('email').notNull().default(''),
    phone: text('phone').notNull().default(''),
    /** Whom it asks for a second factor. */
    secondFactor: text('second_factor').$type<SecondFactorRule>().notNull().default('optional'),
    trialEndsAt: instant('trial_ends_at'),
    isDemo: boolean('is_demo').notNull().default(false),
    /** Keeps the public site. The operator says so on the command line; nothing over HTTP does. */
    keepsSite: boolean('keeps_site').notNull().default(false),
    /** The company whose example it is: nothing leaves it, and it goes whole when that company has seen enough. */
    exampleOf: integer('example_of').references((): AnyPgColumn => companies.id),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    check('companies_second_factor', sql`${t.secondFactor} in ('optional', 'office', 'everyone')`),
    uniqueIndex('companies_keeper').on(t.keepsSite).where(sql`${t.keepsSite}`),
    uniqueIndex('companies_example').on(t.exampleOf).where(sql`${t.exampleOf} is not null`),
  ],
)

/** The host that a company shows itself at. Several may ask for one; it is of the first who proves it. */
export const brandHosts = pgTable(
  'brand_hosts',
  {
    companyId: integer('company_id')
      .primaryKey()
      .references(() => companies.id),
    host: text('host').notNull(),
    /** What the TXT record must hold; it opens nothing. */
    token: text('token').notNull(),
    provedAt: instant('proved_at'),
    /** When the record was last looked for with an answer; since when it is not there any more. */
    checkedAt: instant('checked_at'),
    lapsedAt: instant('lapsed_at'),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('brand_hosts_proved').on(t.host).where(sql`${t.provedAt} is not null`)],
)

export const whiteLabels = pgTable('white_labels', {
  companyId: integer('company_id')
    .primaryKey()
    .references(() => companies.id),
  config: jsonb('config').notNull(),
  version: version(),
})
