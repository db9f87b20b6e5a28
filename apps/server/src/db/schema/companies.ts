import { boolean, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, instant, version } from './columns.ts'

export const companies = pgTable('companies', {
  id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
  name: text('name').notNull(),
  legalName: text('legal_name').notNull().default(''),
  siren: text('siren').notNull().default(''),
  address: text('address').notNull().default(''),
  email: text('email').notNull().default(''),
  phone: text('phone').notNull().default(''),
  trialEndsAt: instant('trial_ends_at'),
  isDemo: boolean('is_demo').notNull().default(false),
  createdAt: createdAt(),
  version: version(),
})

export const whiteLabels = pgTable('white_labels', {
  companyId: integer('company_id')
    .primaryKey()
    .references(() => companies.id),
  config: jsonb('config').notNull(),
  version: version(),
})
