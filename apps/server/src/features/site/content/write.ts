import type { ContentDraft, ContentKind } from '@voisol/contract/content'
import { sql } from 'drizzle-orm'
import { loadSiteOwnerId } from '../../../core/site-company.ts'
import type { Db } from '../../../db/client.ts'
import { contents } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { formatEditorName, isContent, loadContentRecord, lockContentRow, type StoredContent } from './rows.ts'
import {
  buildSlugTakenError,
  cleanDraft,
  hasSiteImage,
  requireCategory,
  requireFreeSlug,
  requireImage,
  requireLatestVersion,
  requirePublishable,
  requireSameAddress,
} from './rules.ts'
import { type ContentDeps, parseTypedText } from './texts.ts'
import { appendVersion, loadVersionDraft } from './versions.ts'

/** Two that want the same address at once: the second finds it taken rather than failing on the index. */
const lockAddresses = (tx: Db) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('content addresses', 0))`)

export async function createContent(ctx: ContentDeps, actor: Actor, kind: ContentKind, given: ContentDraft) {
  const tx = ctx.db
  const draft = cleanDraft(given)
  await parseTypedText(ctx, draft.body, 'draft.body')
  requireCategory(kind, draft.category)
  await requireImage(tx, draft)
  await lockAddresses(tx)
  const [row] = await tx
    .insert(contents)
    .values({
      companyId: await loadSiteOwnerId(tx),
      kind,
      slug: draft.slug,
      status: 'draft',
      draft,
      updatedBy: formatEditorName(actor),
    })
    .onConflictDoNothing()
    .returning({ id: contents.id })
  if (!row) throw buildSlugTakenError(draft.slug)
  await appendVersion(tx, { contentId: row.id, number: 1, event: 'created', draft, savedBy: formatEditorName(actor) })
  return loadContentRecord(tx, row.id)
}

async function storeDraft(
  tx: Db,
  actor: Actor,
  content: StoredContent,
  draft: ContentDraft,
  event: 'saved' | 'restored',
) {
  const { id, kind } = content
  requireCategory(kind, draft.category)
  await lockAddresses(tx)
  await requireFreeSlug(tx, kind, draft.slug, id)
  if (content.status === 'scheduled') await requirePublishable(tx, kind, draft)
  const number = content.version + 1
  await tx
    .update(contents)
    .set({ draft, slug: draft.slug, updatedAt: new Date(), updatedBy: formatEditorName(actor), version: number })
    .where(isContent(id))
  await appendVersion(tx, { contentId: id, number, event, draft, savedBy: formatEditorName(actor) })
  return loadContentRecord(tx, id)
}

type SaveContentInput = { version: number; draft: ContentDraft }

export async function saveContent(
  ctx: ContentDeps,
  actor: Actor,
  id: string,
  { version, draft: given }: SaveContentInput,
) {
  const tx = ctx.db
  const draft = cleanDraft(given)
  await parseTypedText(ctx, draft.body, 'draft.body')
  const content = await lockContentRow(tx, id)
  requireLatestVersion(content, { version, draft })
  requireSameAddress(content, draft)
  await requireImage(tx, draft)
  return storeDraft(tx, actor, content, draft, 'saved')
}

/** An old version as it was, but for its address, which stays, and for a picture that has been taken away since. */
export async function restoreVersion(
  ctx: ContentDeps,
  actor: Actor,
  id: string,
  wanted: { version: number; number: number },
) {
  const tx = ctx.db
  const content = await lockContentRow(tx, id)
  requireLatestVersion(content, wanted)
  const old = await loadVersionDraft(tx, id, wanted.number)
  await parseTypedText(ctx, old.body, 'draft.body')
  const { slug, category } = content.draft
  const address = content.publishedAt ? { slug, ...(content.kind === 'guide' && { category }) } : {}
  const imageId = old.imageId && (await hasSiteImage(tx, old.imageId)) ? old.imageId : null
  return storeDraft(tx, actor, content, { ...old, ...address, imageId }, 'restored')
}

/** Its versions stay: the application can add to them, and nothing else. */
export async function removeContent(tx: Db, id: string): Promise<StoredContent> {
  const content = await lockContentRow(tx, id)
  if (content.status === 'published')
    throw new AppError('conflict', {
      message: 'Ce contenu est en ligne\u00a0: retirez-le du site avant de le supprimer.',
    })
  await tx.delete(contents).where(isContent(id))
  return content
}
