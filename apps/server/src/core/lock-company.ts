import { eq } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { companies } from '../db/schema/index.ts'

/** One change of a kind at a time in a company: two who each see the other's administrator would leave none. */
export const lockCompany = (tx: Db, companyId: number) =>
  tx.select({ id: companies.id }).from(companies).where(eq(companies.id, companyId)).for('no key update')
