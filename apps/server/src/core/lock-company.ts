import { eq } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { companies } from '../db/schema/index.ts'

/** Serialises changes of one kind in a company: two administrators removing each other at once would leave none. */
export const lockCompany = (tx: Db, companyId: number) =>
  tx.select({ id: companies.id }).from(companies).where(eq(companies.id, companyId)).for('no key update')
