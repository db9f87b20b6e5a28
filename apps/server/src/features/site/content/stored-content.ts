import type { ContentDraft, ContentKind, ContentRecord, ContentRow, ContentStatus } from '@voisol/contract/content'
import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { loadSiteOwnerId, SITE_OWNER_ID } from '../../../core/site-owner.ts'
import type { Db } from '../../../db/client.ts'
import { contents } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import {
  createTooNestedError,
  isTextTooComplexError,
  type ProseWithWordCount,
  parseProseCached,
} from '../../../prose/cached-prose.ts'

/** Pages with an address of their own. */
const PAGE_PATHS: Record<string, string> = { rgpd: '/rgpd', accessibilite: '/accessibilite' }

/** Where a content is read on the site. A question is read in the list of questions. */
export function getContentPath(kind: ContentKind, category: string, slug: string): string {
  switch (kind) {
    case 'article':
      return `/resources/actualites/${slug}`
    case 'webinar':
      return `/resources/webinaires/${slug}`
    case 'white-paper':
      return `/white-papers/${slug}`
    case 'case-study':
      return `/case-studies/${slug}`
    case 'faq':
      return `/resources/faq#${slug}`
    case 'guide':
      return category === 'pratiques' ? `/resources/guides/${slug}` : `/user-guide/${slug}`
    case 'page':
      return (Object.hasOwn(PAGE_PATHS, slug) ? PAGE_PATHS[slug] : undefined) ?? `/legal/${slug}`
  }
}

/** Below these every address is that of a content. */
export const CONTENT_PATH_PATTERN =
  /^\/(?:resources\/(?:actualites|webinaires|guides)|white-papers|case-studies|user-guide|legal)\/[^/]+$/

export type ContentDeps = Pick<Deps, 'db' | 'compute'>

const parseInWorker = async (
  { db, compute }: ContentDeps,
  texts: string[],
  patient: boolean,
): Promise<ProseWithWordCount[]> => compute('content.prose', texts, { companyId: await loadSiteOwnerId(db), patient })

/** What is stored, as trees. Patient: it was read when it was saved, and is read once for all visitors who wait for it. */
export const parseStoredTexts = (ctx: ContentDeps, texts: string[]): Promise<ProseWithWordCount[]> =>
  parseProseCached(texts, (missing) => parseInWorker(ctx, missing, true))

/** What somebody has just typed: one that takes too long to read is refused at its field. */
export async function parseTypedText(ctx: ContentDeps, text: string, path: string): Promise<ProseWithWordCount> {
  const [read] = await parseProseCached([text], (missing) => parseInWorker(ctx, missing, false)).catch(
    (error: unknown) => {
      throw isTextTooComplexError(error) ? createTooNestedError(path) : error
    },
  )
  if (!read) throw createTooNestedError(path)
  return read
}

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
const hasUnpublishedChanges = sql<boolean>`${contents.status} = 'published' and ${contents.live} is distinct from ${contents.draft}`
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
