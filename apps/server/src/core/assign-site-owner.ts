import { and, eq, like, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { companies, files } from '../db/schema/index.ts'
import type { FileStore } from '../integrations/files/files.ts'
import { loadSiteOwnerId } from './site-owner.ts'
import { getFileKey } from './stored-files.ts'

const SITE_TABLES = ['contents', 'site_images', 'site_revisions', 'seo_records', 'redirects', 'requests', 'bookings']
const VERSION_COLUMNS = 'content_id, number, event, draft, saved_at, saved_by'

/** Makes a company the owner of the site and moves the site content to it. Returns the former owner. */
export async function assignSiteOwner(tx: Db, store: FileStore, companyId: number): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('site keeper', 0))`)
  const before = await loadSiteOwnerId(tx)
  if (before === companyId) return before
  await tx.update(companies).set({ keepsSite: false }).where(eq(companies.keepsSite, true))
  await tx.update(companies).set({ keepsSite: true }).where(eq(companies.id, companyId))
  for (const table of SITE_TABLES)
    await tx.execute(sql`update ${sql.identifier(table)} set company_id = ${companyId} where company_id = ${before}`)
  // Versions are never changed: the new owner gets copies, which may exist from an earlier time.
  await tx.execute(sql`
    insert into content_versions (company_id, ${sql.raw(VERSION_COLUMNS)})
    select ${companyId}::int, ${sql.raw(VERSION_COLUMNS)} from content_versions where company_id = ${before}
    on conflict do nothing`)
  await moveImages(tx, store, before, companyId)
  return before
}

/**
 * The content is stored before the row that names it, and the original stays: the former owner may use it elsewhere.
 */
async function moveImages(tx: Db, store: FileStore, before: number, companyId: number): Promise<void> {
  const ofSite = and(eq(files.companyId, before), like(files.name, 'site-images/%'))
  const rows = await tx.select().from(files).where(ofSite)
  for (const { sha256, mediaType } of rows) {
    const content = await store.get(getFileKey({ companyId: before, sha256 }))
    if (content) await store.put(getFileKey({ companyId, sha256 }), content, mediaType)
  }
  // Rows cannot change company (they may be on another machine): they are inserted again.
  if (rows.length) await tx.insert(files).values(rows.map((row) => ({ ...row, companyId })))
  await tx.delete(files).where(ofSite)
}
