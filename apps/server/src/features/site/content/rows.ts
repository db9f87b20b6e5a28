import type { ContentDraft, ContentKind, ContentRecord, ContentRow, ContentStatus } from '@voisol/contract/content'
import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { SITE } from '../../../core/site-company.ts'
import type { Db } from '../../../db/client.ts'
import { contents } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { addressOf } from './address.ts'

type Stored = typeof contents.$inferSelect
/** A content as it is stored; its JSON and texts hold what the contract let in. */
export type Content = Omit<Stored, 'kind' | 'status' | 'draft' | 'live'> & {
  kind: ContentKind
  status: ContentStatus
  draft: ContentDraft
  live: ContentDraft | null
}

export const ofSite = eq(contents.companyId, SITE)
export const one = (id: string) => and(ofSite, eq(contents.id, id))
export const asContent = (row: Stored): Content => row as Content // written by this feature alone

export const who = ({ firstName, lastName, email }: Actor) => `${firstName} ${lastName}`.trim() || email

/** What is written differs from what is shown, whatever the order of the keys. */
export const changedColumn = sql<boolean>`${contents.status} = 'published' and ${contents.live} is distinct from ${contents.draft}`
export const readRows = (db: Db) =>
  db.select({ ...getTableColumns(contents), hasChanges: changedColumn }).from(contents)

const iso = (at: Date | null) => at?.toISOString() ?? null

export function toRow(content: Content, hasChanges: boolean): ContentRow {
  const { id, kind, slug, status, draft, publishAt, publishedAt, updatedAt, updatedBy, version } = content
  const { title, category } = draft
  const dates = { publishAt: iso(publishAt), publishedAt: iso(publishedAt), updatedAt: updatedAt.toISOString() }
  const path = addressOf(kind, category, slug)
  return { id, kind, slug, title, category, status, hasChanges, ...dates, updatedBy, path, version }
}

export async function getRecord(db: Db, id: string): Promise<ContentRecord> {
  const [row] = await readRows(db).where(one(id))
  if (!row) throw new AppError('not-found')
  const content = asContent(row)
  return { ...toRow(content, row.hasChanges), draft: content.draft }
}

/** Held until the transaction ends: changes of one content follow each other. */
export async function lockContent(tx: Db, id: string): Promise<Content> {
  const [row] = await tx.select().from(contents).where(one(id)).for('update')
  if (!row) throw new AppError('not-found')
  return asContent(row)
}
