import { integer, uuid } from 'drizzle-orm/pg-core'
import { companies } from './companies.ts'

/** The two columns that key every record of a company; the company comes first, so that tables can be split by it. */
export const ownerColumns = () => ({
  companyId: integer('company_id')
    .notNull()
    .references(() => companies.id),
  id: uuid('id').notNull().defaultRandom(),
})
