import { sql } from 'drizzle-orm'
import { type Db, prepared } from '../db/client.ts'

/** Where the site is while the operator has named no keeper: visitors write to it already, and nobody reads it. */
export const NOBODY = 0

export const KEEPER = `coalesce((select keeper.id from companies keeper where keeper.keeps_site), ${NOBODY})`

/** The company that keeps the public site, within a statement. Only the operator names it: `voisol site keeper`. */
export const SITE = sql<number>`${sql.raw(KEEPER)}`

/** The same, as a number. */
export async function siteCompany(db: Db): Promise<number> {
  const { rows } = await prepared<{ id: number }>(db, 'site-company', `select ${KEEPER} as id`, [])
  return rows[0]?.id ?? NOBODY
}
