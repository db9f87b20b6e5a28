import { CATEGORIES, type ContentDraft, type ContentKind } from '@voisol/contract/content'
import { and, eq, ne } from 'drizzle-orm'
import { SITE } from '../../../core/site-company.ts'
import type { Db } from '../../../db/client.ts'
import { contents, siteImages } from '../../../db/schema/index.ts'
import { fieldError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { countWords } from '../../../prose/words.ts'
import { addressOf } from './address.ts'
import { type Content, ofSite } from './rows.ts'

export function requireCategory(kind: ContentKind, category: string) {
  const allowed: readonly string[] = CATEGORIES[kind]
  if (!allowed.includes(category))
    throw fieldError('draft.category', `Rubrique inconnue\u00a0: choisissez parmi ${allowed.join(', ')}.`)
}

export const slugTaken = (slug: string) =>
  fieldError(
    'draft.slug',
    `Un autre contenu de ce type a déjà l’adresse «\u00a0${slug}\u00a0»\u00a0: choisissez-en une autre.`,
  )

export async function requireFreeSlug(tx: Db, kind: ContentKind, slug: string, id: string) {
  const [other] = await tx
    .select({ id: contents.id })
    .from(contents)
    .where(and(ofSite, eq(contents.kind, kind), eq(contents.slug, slug), ne(contents.id, id)))
  if (other) throw slugTaken(slug)
}

/** Links to a page that was published must keep leading to it. */
export function requireSameAddress({ kind, slug, draft, publishedAt }: Content, wanted: ContentDraft) {
  if (!publishedAt) return
  if (wanted.slug !== slug)
    throw fieldError(
      'draft.slug',
      `L’adresse ne change plus après la première publication\u00a0: gardez «\u00a0${slug}\u00a0».`,
    )
  if (addressOf(kind, wanted.category, slug) !== addressOf(kind, draft.category, slug))
    throw fieldError(
      'draft.category',
      'Cette rubrique changerait l’adresse de la page, qui ne change plus après la première publication.',
    )
}

/** It stays there until the transaction ends. */
export async function imageExists(tx: Db, id: string): Promise<boolean> {
  const [image] = await tx
    .select({ id: siteImages.id })
    .from(siteImages)
    .where(and(eq(siteImages.companyId, SITE), eq(siteImages.id, id)))
    .for('share')
  return image !== undefined
}

export async function requireImage(tx: Db, { imageId }: ContentDraft) {
  if (imageId && !(await imageExists(tx, imageId)))
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

const lengthOf = (body: string) => {
  const words = countWords(body)
  return `un texte de ${words} ${words > 1 ? 'mots' : 'mot'}`
}
const fields = (draft: ContentDraft, body: string) =>
  Object.fromEntries(Object.entries({ ...draft, body }).map(([name, value]) => [`draft.${name}`, value]))

/** The later of two editors is told what the other saved; a long text by its length alone. */
export function requireLatest({ version, draft }: Content, wanted: { version: number; draft?: ContentDraft }) {
  const other = wanted.draft ?? draft
  const saved = draft.body === other.body ? other.body : lengthOf(draft.body)
  requireVersion({ version, ...fields(draft, saved) }, { version: wanted.version, ...fields(other, other.body) })
}

const CONTROLS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu
const line = (text: string) =>
  text
    .toWellFormed()
    .replace(/\s*\n\s*/g, ' ')
    .replace(CONTROLS, '')

/** Without what cannot be seen nor stored. Fields of one line stay on one line. */
export const cleaned = (draft: ContentDraft): ContentDraft => ({
  ...draft,
  title: line(draft.title),
  summary: line(draft.summary),
  author: line(draft.author),
  imageAlt: line(draft.imageAlt),
  speaker: line(draft.speaker),
  joinUrl: draft.joinUrl.toWellFormed(),
  body: draft.body.toWellFormed().replace(/\r\n?/g, '\n'),
})
