import { CONTENT_CATEGORIES, type ContentDraft, type ContentKind } from '@voisol/contract/content'
import { and, eq, ne } from 'drizzle-orm'
import { SITE_OWNER_ID } from '../../../core/site-company.ts'
import type { Db } from '../../../db/client.ts'
import { contents, siteImages } from '../../../db/schema/index.ts'
import { fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { countWords } from '../../../prose/words.ts'
import { getContentPath } from './address.ts'
import { isSiteContent, type StoredContent } from './rows.ts'

export function requireCategory(kind: ContentKind, category: string) {
  const allowed: readonly string[] = CONTENT_CATEGORIES[kind]
  if (!allowed.includes(category))
    throw fieldError('draft.category', `Rubrique inconnue\u00a0: choisissez parmi ${allowed.join(', ')}.`)
}

export const buildSlugTakenError = (slug: string) =>
  fieldError(
    'draft.slug',
    `Un autre contenu de ce type a déjà l’adresse «\u00a0${slug}\u00a0»\u00a0: choisissez-en une autre.`,
  )

export async function requireFreeSlug(tx: Db, kind: ContentKind, slug: string, id: string) {
  const [other] = await tx
    .select({ id: contents.id })
    .from(contents)
    .where(and(isSiteContent, eq(contents.kind, kind), eq(contents.slug, slug), ne(contents.id, id)))
  if (other) throw buildSlugTakenError(slug)
}

/** Links to a page that was published must keep leading to it. */
export function requireSameAddress({ kind, slug, draft, publishedAt }: StoredContent, wanted: ContentDraft) {
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
export async function hasSiteImage(tx: Db, id: string): Promise<boolean> {
  const [image] = await tx
    .select({ id: siteImages.id })
    .from(siteImages)
    .where(and(eq(siteImages.companyId, SITE_OWNER_ID), eq(siteImages.id, id)))
    .for('share')
  return image !== undefined
}

export async function requireImage(tx: Db, { imageId }: ContentDraft) {
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
