import { sql } from 'drizzle-orm'
import { type Db, queryPrepared } from '../db/client.ts'

/** The company id of the site while no owner is assigned: visitors can write to it, and nobody can read it. */
export const NO_SITE_OWNER = 0

export const SITE_OWNER_ID_QUERY = `coalesce((select keeper.id from companies keeper where keeper.keeps_site), ${NO_SITE_OWNER})`

/** The company that owns the public site, as an SQL expression. Only the operator assigns it: `voisol site keeper`. */
export const SITE_OWNER_ID = sql<number>`${sql.raw(SITE_OWNER_ID_QUERY)}`

/** The same, as a number. */
export async function loadSiteOwnerId(db: Db): Promise<number> {
  const { rows } = await queryPrepared<{ id: number }>(db, 'site-company', `select ${SITE_OWNER_ID_QUERY} as id`, [])
  return rows[0]?.id ?? NO_SITE_OWNER
}
