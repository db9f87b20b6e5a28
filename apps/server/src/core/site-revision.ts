import { sql } from 'drizzle-orm'
import { type Db, prepared } from '../db/client.ts'
import { siteRevisions } from '../db/schema/index.ts'
import { KEEPER, siteCompany } from './site-company.ts'

const READ = `select revision from site_revisions where company_id = ${KEEPER}`

/** Counts what changed the site; a page drawn under an older count is drawn again. 0 before the first change. */
export async function siteRevision(db: Db): Promise<number> {
  const { rows } = await prepared<{ revision: number }>(db, 'site-revision', READ, [])
  return rows[0]?.revision ?? 0
}

/** To be called in the transaction of the change, so that the count and the change are seen together. */
export async function bumpSite(tx: Db): Promise<number> {
  const [row] = await tx
    .insert(siteRevisions)
    .values({ companyId: await siteCompany(tx) })
    .onConflictDoUpdate({
      target: siteRevisions.companyId,
      set: { revision: sql`${siteRevisions.revision} + 1` },
    })
    .returning({ revision: siteRevisions.revision })
  return row?.revision ?? 1
}
