import type { ContentDraft, ContentKind, ContentRecord, ContentRow, ContentStatus } from '@voisol/contract/content'
import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { SITE_OWNER_ID } from '../../../core/site-company.ts'
import type { Db } from '../../../db/client.ts'
import { contents } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getContentPath } from './address.ts'

type ContentDbRow = typeof contents.$inferSelect
/** A content as it is stored; its JSON and texts hold what the contract let in. */
export type StoredContent = Omit<ContentDbRow, 'kind' | 'status' | 'draft' | 'live'> & {
  kind: ContentKind
  status: ContentStatus
  draft: ContentDraft
  live: ContentDraft | null
}

export const isSiteContent = eq(contents.companyId, SITE_OWNER_ID)
export const isContent = (id: string) => and(isSiteContent, eq(contents.id, id))
export const toStoredContent = (row: ContentDbRow): StoredContent => row as StoredContent // written by this feature alone

export const formatEditorName = ({ firstName, lastName, email }: Actor) => `${firstName} ${lastName}`.trim() || email

/** What is written differs from what is shown, whatever the order of the keys. */
export const hasUnpublishedChanges = sql<boolean>`${contents.status} = 'published' and ${contents.live} is distinct from ${contents.draft}`
export const selectContentRows = (db: Db) =>
  db.select({ ...getTableColumns(contents), hasChanges: hasUnpublishedChanges }).from(contents)

const toIso = (at: Date | null) => at?.toISOString() ?? null

export function toContentRow(content: StoredContent, hasChanges: boolean): ContentRow {
  const { id, kind, slug, status, draft, publishAt, publishedAt, updatedAt, updatedBy, version } = content
  const { title, category } = draft
  const dates = { publishAt: toIso(publishAt), publishedAt: toIso(publishedAt), updatedAt: updatedAt.toISOString() }
  const path = getContentPath(kind, category, slug)
  return { id, kind, slug, title, category, status, hasChanges, ...dates, updatedBy, path, version }
}

export async function loadContentRecord(db: Db, id: string): Promise<ContentRecord> {
  const [row] = await selectContentRows(db).where(isContent(id))
  if (!row) throw new AppError('not-found')
  const content = toStoredContent(row)
  return { ...toContentRow(content, row.hasChanges), draft: content.draft }
}

/** Held until the transaction ends: changes of one content follow each other. */
export async function lockContentRow(tx: Db, id: string): Promise<StoredContent> {
  const [row] = await tx.select().from(contents).where(isContent(id)).for('update')
  if (!row) throw new AppError('not-found')
  return toStoredContent(row)
}
