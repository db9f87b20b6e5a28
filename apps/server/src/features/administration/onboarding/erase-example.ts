import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { type Spread, spreadOf } from '../../../db/schema/directory.ts'
import { companies } from '../../../db/schema/index.ts'

/** Every table with a company column, grouped by its distribution in Citus. */
async function listCompanyTablesBySpread(tx: Db): Promise<Partial<Record<Spread, string[]>>> {
  const { rows } = await tx.execute<{ name: string }>(sql`
    select c.relname as name
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by 1`)
  const names = rows.map(({ name }) => name)
  return Object.fromEntries(Map.groupBy(names, spreadOf))
}

/**
 * Deletes every row of an example company in the caller's transaction, which must not be scoped to one company. Tables
 * that the application role may delete from are handled by that role: on Citus, two roles cannot write a reference
 * table in one transaction.
 */
export async function eraseExample(tx: Db, id: number): Promise<void> {
  const tables = await listCompanyTablesBySpread(tx)
  const toNames = (spread: Spread) => sql`${sql.param(tables[spread] ?? [])}::text[]`
  // An internal note belongs to its author's company, while its ticket may belong to the example.
  await tx.execute(sql`delete from ticket_notes where ticket_company_id = ${id}`)
  await tx.execute(sql`select erase_example(${id}, ${toNames('by-company')})`)
  await tx.execute(sql`select erase_example_here(${id}, ${toNames('first')})`)
  await tx.execute(sql`select erase_rows(${id}, ${toNames('everywhere')})`)
  await tx.delete(companies).where(eq(companies.id, id))
}
