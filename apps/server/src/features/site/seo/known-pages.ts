import type { ContentKind } from '@voisol/contract/content'
import { buildFullTitle, DEFAULT_METADATA } from '@voisol/contract/page-title'
import type { SeoContent } from '@voisol/contract/seo'
import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import { SITE_OWNER_ID } from '../../../core/site-owner.ts'
import type { Db } from '../../../db/client.ts'
import { contents } from '../../../db/schema/index.ts'
import type { WebBuild } from '../../../web-build.ts'
import { getContentPath } from '../content/index.ts'

type PublishedPage = { path: string; title: string; summary: string; image: string; changedAt: Date }

const liveField = (key: string) => sql<string>`coalesce(${contents.live}->>${key}, '')`
/** Only what is needed of each: the texts themselves may be long. */
const COLUMNS = {
  kind: sql<ContentKind>`${contents.kind}`,
  slug: contents.slug,
  category: liveField('category'),
  title: liveField('title'),
  summary: liveField('summary'),
  imageId: liveField('imageId'),
  liveAt: contents.liveAt,
  updatedAt: contents.updatedAt,
}

/** What the desk of the site published and that has an address of its own: a question is read in its list. */
export async function listPublishedPages(db: Db, slug?: string): Promise<PublishedPage[]> {
  const shown = and(eq(contents.status, 'published'), isNotNull(contents.live))
  const rows = await db
    .select(COLUMNS)
    .from(contents)
    .where(and(eq(contents.companyId, SITE_OWNER_ID), shown, slug === undefined ? undefined : eq(contents.slug, slug)))
    .orderBy(asc(contents.kind), asc(contents.slug))
  return rows
    .map(({ kind, category, slug: name, imageId, liveAt, updatedAt, title, summary }) => ({
      path: getContentPath(kind, category, name),
      title,
      summary,
      image: imageId && `/api/site-images/${imageId}`,
      changedAt: liveAt ?? updatedAt,
    }))
    .filter(({ path }) => !path.includes('#'))
}

/** A page of the site with what it says of itself. */
export type KnownPage = {
  path: string
  own: SeoContent
  /** Whether search engines are told of it, under this address. */
  indexed: boolean
  changedAt: Date | undefined
}

const { keywords, previewImageUrl } = DEFAULT_METADATA

const listBuiltPages = (web: WebBuild | undefined): KnownPage[] =>
  (web?.sitePages ?? []).map(({ path, title, description, noIndex, canonical }) => ({
    path,
    own: { title: buildFullTitle(title), description, keywords, previewImageUrl },
    indexed: !noIndex && canonical === undefined,
    changedAt: undefined,
  }))

const toKnownPage = ({ path, title, summary, image, changedAt }: PublishedPage): KnownPage => ({
  path,
  own: { title: buildFullTitle(title), description: summary, keywords, previewImageUrl: image || previewImageUrl },
  indexed: true,
  changedAt,
})

/** Every page that can be opened: those of the build, then what was published, each address once. */
export async function listKnownPages(db: Db, web: WebBuild | undefined): Promise<KnownPage[]> {
  const built = listBuiltPages(web)
  const taken = new Set(built.map(({ path }) => path))
  const written = (await listPublishedPages(db)).map(toKnownPage)
  return [...built, ...written.filter(({ path }) => !taken.has(path))]
}

export async function findKnownPage(db: Db, web: WebBuild | undefined, path: string): Promise<KnownPage | undefined> {
  const built = listBuiltPages(web).find((page) => page.path === path)
  if (built) return built
  const found = (await listPublishedPages(db, path.split('/').at(-1))).find((page) => page.path === path)
  return found && toKnownPage(found)
}
