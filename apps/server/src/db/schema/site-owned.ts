import { integer, uuid } from 'drizzle-orm/pg-core'

/** Like `owned`, but without the reference: visitors write to a new site before its company has signed up. */
export const siteOwned = () => ({
  companyId: integer('company_id').notNull(),
  id: uuid('id').notNull().defaultRandom(),
})
