import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { type Spread, spreadOf } from '../../../db/schema/directory.ts'
import { companies } from '../../../db/schema/index.ts'

/** Every table that says whose a row is, by where its rows are. */
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
 * Every row of an example, in the caller's transaction, which writes for no company in particular. What the application may
 * remove itself it removes itself: on a distributed PostgreSQL two roles cannot write what is copied to every machine.
 */
export async function eraseExample(tx: Db, id: number): Promise<void> {
  const tables = await listCompanyTablesBySpread(tx)
  const toNames = (spread: Spread) => sql`${sql.param(tables[spread] ?? [])}::text[]`
  // A note is its writer's; what it is about may be in the example.
  await tx.execute(sql`delete from ticket_notes where ticket_company_id = ${id}`)
  await tx.execute(sql`select erase_example(${id}, ${toNames('by-company')})`)
  await tx.execute(sql`select erase_example_here(${id}, ${toNames('first')})`)
  await tx.execute(sql`select erase_rows(${id}, ${toNames('everywhere')})`)
  await tx.delete(companies).where(eq(companies.id, id))
}
