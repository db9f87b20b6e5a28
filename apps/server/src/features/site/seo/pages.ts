import { FALLBACK, fullTitle } from '@voisol/contract/page-title'
import type { SeoContent } from '@voisol/contract/seo'
import type { Db } from '../../../db/client.ts'
import type { WebBuild } from '../../../web-build.ts'
import { type PublishedPage, publishedPages } from './published.ts'

/** A page of the site with what it says of itself. */
export type KnownPage = {
  path: string
  own: SeoContent
  /** Whether search engines are told of it, under this address. */
  indexed: boolean
  changedAt: Date | undefined
}

const { keywords, previewImageUrl } = FALLBACK

const builtPages = (web: WebBuild | undefined): KnownPage[] =>
  (web?.sitePages ?? []).map(({ path, title, description, noIndex, canonical }) => ({
    path,
    own: { title: fullTitle(title), description, keywords, previewImageUrl },
    indexed: !noIndex && canonical === undefined,
    changedAt: undefined,
  }))

const writtenPage = ({ path, title, summary, image, changedAt }: PublishedPage): KnownPage => ({
  path,
  own: { title: fullTitle(title), description: summary, keywords, previewImageUrl: image || previewImageUrl },
  indexed: true,
  changedAt,
})

/** Every page that can be opened: those of the build, then what was published, each address once. */
export async function knownPages(db: Db, web: WebBuild | undefined): Promise<KnownPage[]> {
  const built = builtPages(web)
  const taken = new Set(built.map(({ path }) => path))
  const written = (await publishedPages(db)).map(writtenPage)
  return [...built, ...written.filter(({ path }) => !taken.has(path))]
}

export async function knownPage(db: Db, web: WebBuild | undefined, path: string): Promise<KnownPage | undefined> {
  const built = builtPages(web).find((page) => page.path === path)
  if (built) return built
  const found = (await publishedPages(db, path.split('/').at(-1))).find((page) => page.path === path)
  return found && writtenPage(found)
}
