import { CONTENT_CATEGORIES, type ContentDraft, type ContentKind, type ContentVersion } from '@voisol/contract/content'
import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { loadSiteOwnerId, SITE_OWNER_ID } from '../../../core/site-owner.ts'
import type { Db } from '../../../db/client.ts'
import { contents, contentVersions, siteImages } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { countWords } from '../../../prose/inspect-prose.ts'
import {
  type ContentDeps,
  formatEditorName,
  getContentPath,
  isContent,
  isSiteContent,
  loadContentRecord,
  lockContentRow,
  parseStoredTexts,
  parseTypedText,
  type StoredContent,
} from './stored-content.ts'

export function requireCategory(kind: ContentKind, category: string) {
  const allowed: readonly string[] = CONTENT_CATEGORIES[kind]
  if (!allowed.includes(category))
    throw fieldError('draft.category', `Rubrique inconnue\u00a0: choisissez parmi ${allowed.join(', ')}.`)
}

const buildSlugTakenError = (slug: string) =>
  fieldError(
    'draft.slug',
    `Un autre contenu de ce type a déjà l’adresse «\u00a0${slug}\u00a0»\u00a0: choisissez-en une autre.`,
  )

async function requireFreeSlug(tx: Db, kind: ContentKind, slug: string, id: string) {
  const [other] = await tx
    .select({ id: contents.id })
    .from(contents)
    .where(and(isSiteContent, eq(contents.kind, kind), eq(contents.slug, slug), ne(contents.id, id)))
  if (other) throw buildSlugTakenError(slug)
}

/** Links to a page that was published must keep leading to it. */
function requireSameAddress({ kind, slug, draft, publishedAt }: StoredContent, wanted: ContentDraft) {
  if (!publishedAt) return
  if (wanted.slug !== slug)
    throw fieldError(
      'draft.slug',
      `L’adresse ne change plus après la première publication\u00a0: gardez «\u00a0${slug}\u00a0».`,
    )
  if (getContentPath(kind, wanted.category, slug) !== getContentPath(kind, draft.category, slug))
    throw fieldError(
      'draft.category',
      'Cette rubrique changerait l’adresse de la page, qui ne change plus après la première publication.',
    )
}

/** It stays there until the transaction ends. */
async function hasSiteImage(tx: Db, id: string): Promise<boolean> {
  const [image] = await tx
    .select({ id: siteImages.id })
    .from(siteImages)
    .where(and(eq(siteImages.companyId, SITE_OWNER_ID), eq(siteImages.id, id)))
    .for('share')
  return image !== undefined
}

async function requireImage(tx: Db, { imageId }: ContentDraft) {
  if (imageId && !(await hasSiteImage(tx, imageId)))
    throw fieldError(
      'draft.imageId',
      'Cette image n’existe plus\u00a0: choisissez-en une autre, ou déposez-la à nouveau.',
    )
}

/** What must be there before readers see it. */
export async function requirePublishable(tx: Db, kind: ContentKind, draft: ContentDraft) {
  if (kind === 'webinar' && !draft.startsAt)
    throw fieldError('draft.startsAt', 'La date et l’heure du webinaire sont nécessaires pour le publier.')
  await requireImage(tx, draft)
}

const describeLength = (body: string) => {
  const words = countWords(body)
  return `un texte de ${words} ${words > 1 ? 'mots' : 'mot'}`
}
const toDraftFields = (draft: ContentDraft, body: string) =>
  Object.fromEntries(Object.entries({ ...draft, body }).map(([name, value]) => [`draft.${name}`, value]))

/** The later of two editors is told what the other saved; a long text by its length alone. */
export function requireLatestVersion(
  { version, draft }: StoredContent,
  wanted: { version: number; draft?: ContentDraft },
) {
  const other = wanted.draft ?? draft
  const saved = draft.body === other.body ? other.body : describeLength(draft.body)
  requireCurrentVersion(
    { version, ...toDraftFields(draft, saved) },
    { version: wanted.version, ...toDraftFields(other, other.body) },
  )
}

const CONTROL_CHARACTERS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu
const toOneLine = (text: string) =>
  text
    .toWellFormed()
    .replace(/\s*\n\s*/g, ' ')
    .replace(CONTROL_CHARACTERS, '')

/** Without what cannot be seen nor stored. Fields of one line stay on one line. */
export const cleanDraft = (draft: ContentDraft): ContentDraft => ({
  ...draft,
  title: toOneLine(draft.title),
  summary: toOneLine(draft.summary),
  author: toOneLine(draft.author),
  imageAlt: toOneLine(draft.imageAlt),
  speaker: toOneLine(draft.speaker),
  joinUrl: draft.joinUrl.toWellFormed(),
  body: draft.body.toWellFormed().replace(/\r\n?/g, '\n'),
})

type Version = z.infer<typeof ContentVersion>
type NewVersion = { contentId: string; number: number; event: Version['event']; draft: ContentDraft; savedBy: string }

const isVersionOf = (contentId: string) =>
  and(eq(contentVersions.companyId, SITE_OWNER_ID), eq(contentVersions.contentId, contentId))

/** Every change leaves one: the number is the version the content has from then on. */
export const appendVersion = async (tx: Db, entry: NewVersion) =>
  tx.insert(contentVersions).values({ companyId: await loadSiteOwnerId(tx), ...entry })

export async function listVersions(ctx: ContentDeps, id: string): Promise<Version[]> {
  const { db } = ctx
  await loadContentRecord(db, id)
  const rows = await db.select().from(contentVersions).where(isVersionOf(id)).orderBy(desc(contentVersions.number))
  const bodies = rows.map(({ draft }) => (draft as ContentDraft).body) // as it was saved
  const read = await parseStoredTexts(ctx, bodies)
  return rows.map(({ number, event, savedAt, savedBy, draft }, at) => {
    const { title } = draft as ContentDraft // as above
    const words = read[at]?.words ?? 0
    return { number, event: event as Version['event'], savedAt: savedAt.toISOString(), savedBy, title, words } // see Entry
  })
}

/** The greatest number the column holds. */
const MAX_NUMBER = 2_147_483_647

export async function loadVersionDraft(db: Db, id: string, number: number): Promise<ContentDraft> {
  if (number > MAX_NUMBER) throw new AppError('not-found')
  const [row] = await db
    .select()
    .from(contentVersions)
    .where(and(isVersionOf(id), eq(contentVersions.number, number)))
  if (!row) throw new AppError('not-found')
  return row.draft as ContentDraft // as it was saved
}

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
