import { type ContentDraft, content } from '@voisol/contract/content'
import { loadSiteOwnerId } from '../src/core/site-company.ts'
import { transaction } from '../src/db/client.ts'
import { contents, contentVersions } from '../src/db/schema/index.ts'
import { addSiteImage } from '../src/features/site/content/images.ts'
import { call, type TestServer } from './client.ts'

let count = 0

export const buildContentDraft = (more: Partial<ContentDraft> = {}): ContentDraft => ({
  title: `Partager un toit ${++count}`,
  slug: `partager-un-toit-${count}`,
  summary: 'Ce qu’il faut savoir.',
  category: 'actualites',
  author: 'Camille',
  position: 100,
  body: '## Un titre\n\nUn texte.',
  imageId: null,
  imageAlt: '',
  startsAt: null,
  minutes: null,
  speaker: '',
  joinUrl: '',
  ...more,
})

/** Created by `editor` over HTTP, and published by default. */
export async function makeContent(
  server: TestServer,
  editor: { token: string },
  more: Partial<ContentDraft> = {},
  { kind = 'article', publish = true } = {},
) {
  const { body } = await call(server, content.create, { body: { kind, draft: buildContentDraft(more) } }, editor)
  if (!publish) return body
  return (await call(server, content.publish, { params: { id: body.id }, body: { version: 1 } }, editor)).body
}

/** The smallest image of each format. */
export const SMALLEST_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** The same image with other bytes. */
export const buildDistinctPng = (n: number) => Buffer.concat([SMALLEST_PNG, Buffer.from(String(n))])

/** Published content with its first version, inserted into the database. */
export async function insertPublishedContent({ db }: TestServer) {
  const draft = buildContentDraft()
  const own = { companyId: await loadSiteOwnerId(db), draft }
  const [row] = await db
    .insert(contents)
    .values({ ...own, kind: 'article', slug: draft.slug, status: 'published', live: draft, updatedBy: 'Camille' })
    .returning()
  if (!row) throw new Error('no content')
  await db
    .insert(contentVersions)
    .values({ ...own, contentId: row.id, number: 1, event: 'published', savedBy: 'Camille' })
  return { id: row.id, kind: 'article', slug: draft.slug, number: 1 }
}

export const makeImage = async ({ db, deps }: TestServer) => ({
  id: (await transaction(db, (tx) => addSiteImage(tx, deps.files, 'toit.png', buildDistinctPng(++count)))).id,
})
