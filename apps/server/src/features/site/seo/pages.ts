import { buildFullTitle, DEFAULT_METADATA } from '@voisol/contract/page-title'
import type { SeoContent } from '@voisol/contract/seo'
import type { Db } from '../../../db/client.ts'
import type { WebBuild } from '../../../web-build.ts'
import { listPublishedPages, type PublishedPage } from './published.ts'

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
