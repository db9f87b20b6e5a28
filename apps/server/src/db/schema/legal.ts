import type { LegalNotice } from '@voisol/contract/legal'
import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant, version } from './columns.ts'

/** Who publishes the site, said by the company that keeps it; it stays that company's own when the site changes hands. */
export const legalNotices = pgTable('legal_notices', {
  companyId: integer('company_id').primaryKey(),
  notice: jsonb('notice').$type<Partial<LegalNotice>>().notNull(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
  updatedBy: text('updated_by').notNull(),
  version: version(),
})
