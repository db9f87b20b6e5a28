import type { EventName } from '@voisol/contract/events'
import { sql } from 'drizzle-orm'
import { type Db, queryPrepared } from '../db/client.ts'
import { siteRevisions } from '../db/schema/index.ts'

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

const EVENTS_CHANGING_SITE: readonly EventName[] = [
  'content.published',
  'content.unpublished',
  'notice.changed',
  'page.described',
  'redirect.added',
  'redirect.removed',
]

/** Cached pages become outdated. */
export async function invalidateSitePages(tx: Db, _companyId: number, name: EventName) {
  if (EVENTS_CHANGING_SITE.includes(name)) await incrementSiteRevision(tx)
}
