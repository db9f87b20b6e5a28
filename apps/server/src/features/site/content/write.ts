import type { ContentDraft, ContentKind } from '@voisol/contract/content'
import { sql } from 'drizzle-orm'
import { siteCompany } from '../../../core/site-company.ts'
import type { Db } from '../../../db/client.ts'
import { contents } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { type Content, getRecord, lockContent, one, who } from './rows.ts'
import {
  cleaned,
  imageExists,
  requireCategory,
  requireFreeSlug,
  requireImage,
  requireLatest,
  requirePublishable,
  requireSameAddress,
  slugTaken,
} from './rules.ts'
import { type Reader, readTyped } from './texts.ts'
import { appendVersion, draftOf } from './versions.ts'

/** Two that want the same address at once: the second finds it taken rather than failing on the index. */
const lockAddresses = (tx: Db) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('content addresses', 0))`)

export async function createContent(ctx: Reader, actor: Actor, kind: ContentKind, given: ContentDraft) {
  const tx = ctx.db
  const draft = cleaned(given)
  await readTyped(ctx, draft.body, 'draft.body')
  requireCategory(kind, draft.category)
  await requireImage(tx, draft)
  await lockAddresses(tx)
  const [row] = await tx
    .insert(contents)
    .values({ companyId: await siteCompany(tx), kind, slug: draft.slug, status: 'draft', draft, updatedBy: who(actor) })
    .onConflictDoNothing()
    .returning({ id: contents.id })
  if (!row) throw slugTaken(draft.slug)
  await appendVersion(tx, { contentId: row.id, number: 1, event: 'created', draft, savedBy: who(actor) })
  return getRecord(tx, row.id)
}

async function store(tx: Db, actor: Actor, content: Content, draft: ContentDraft, event: 'saved' | 'restored') {
  const { id, kind } = content
  requireCategory(kind, draft.category)
  await lockAddresses(tx)
  await requireFreeSlug(tx, kind, draft.slug, id)
  if (content.status === 'scheduled') await requirePublishable(tx, kind, draft)
  const number = content.version + 1
  await tx
    .update(contents)
    .set({ draft, slug: draft.slug, updatedAt: new Date(), updatedBy: who(actor), version: number })
    .where(one(id))
  await appendVersion(tx, { contentId: id, number, event, draft, savedBy: who(actor) })
  return getRecord(tx, id)
}

type Save = { version: number; draft: ContentDraft }

export async function saveContent(ctx: Reader, actor: Actor, id: string, { version, draft: given }: Save) {
  const tx = ctx.db
  const draft = cleaned(given)
  await readTyped(ctx, draft.body, 'draft.body')
  const content = await lockContent(tx, id)
  requireLatest(content, { version, draft })
  requireSameAddress(content, draft)
  await requireImage(tx, draft)
  return store(tx, actor, content, draft, 'saved')
}

/** An old version as it was, but for its address, which stays, and for a picture that has been taken away since. */
export async function restoreVersion(
  ctx: Reader,
  actor: Actor,
  id: string,
  wanted: { version: number; number: number },
) {
  const tx = ctx.db
  const content = await lockContent(tx, id)
  requireLatest(content, wanted)
  const old = await draftOf(tx, id, wanted.number)
  await readTyped(ctx, old.body, 'draft.body')
  const { slug, category } = content.draft
  const kept = content.publishedAt ? { slug, ...(content.kind === 'guide' && { category }) } : {}
  const imageId = old.imageId && (await imageExists(tx, old.imageId)) ? old.imageId : null
  return store(tx, actor, content, { ...old, ...kept, imageId }, 'restored')
}

/** Its versions stay: the application can add to them, and nothing else. */
export async function removeContent(tx: Db, id: string): Promise<Content> {
  const content = await lockContent(tx, id)
  if (content.status === 'published')
    throw new AppError('conflict', {
      message: 'Ce contenu est en ligne\u00a0: retirez-le du site avant de le supprimer.',
    })
  await tx.delete(contents).where(one(id))
  return content
}
