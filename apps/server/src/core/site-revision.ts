import { sql } from 'drizzle-orm'
import { type Db, queryPrepared } from '../db/client.ts'
import { siteRevisions } from '../db/schema/index.ts'
import { loadSiteOwnerId, SITE_OWNER_ID_QUERY } from './site-company.ts'

const REVISION_QUERY = `select revision from site_revisions where company_id = ${SITE_OWNER_ID_QUERY}`

/** Number of changes of the site; a page cached under a smaller number is rendered again. 0 before the first change. */
export async function loadSiteRevision(db: Db): Promise<number> {
  const { rows } = await queryPrepared<{ revision: number }>(db, 'site-revision', REVISION_QUERY, [])
  return rows[0]?.revision ?? 0
}

/** To be called in the transaction of the change, so that count and change become visible together. */
export async function incrementSiteRevision(tx: Db): Promise<number> {
  const [row] = await tx
    .insert(siteRevisions)
    .values({ companyId: await loadSiteOwnerId(tx) })
    .onConflictDoUpdate({
      target: siteRevisions.companyId,
      set: { revision: sql`${siteRevisions.revision} + 1` },
    })
    .returning({ revision: siteRevisions.revision })
  return row?.revision ?? 1
}
