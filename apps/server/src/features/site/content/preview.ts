import { and, eq, inArray } from 'drizzle-orm'
import { SITE_OWNER_ID } from '../../../core/site-company.ts'
import { siteImages } from '../../../db/schema/index.ts'
import { parseSiteImageId } from '../../../prose/hrefs.ts'
import { listProseImages } from '../../../prose/walk.ts'
import { listProseWarnings } from '../../../prose/warnings.ts'
import { computeReadingMinutes } from '../../../prose/words.ts'
import type { WebBuild } from '../../../web-build.ts'
import { CONTENT_PATH_PATTERN } from './address.ts'
import { listPublishedPaths } from './published.ts'
import { type ContentDeps, parseTypedText } from './texts.ts'

const FAQ_PATH_PATTERN = /^\/(?:resources\/)?faq#/
const stripQueryAndHash = (address: string) => (address.split(/[?#]/)[0] ?? '').replace(/(?<=.)\/$/, '')
/** `/projects/:id` answers to any id. */
const matchesPattern = (pattern: string, path: string) => {
  const parts = path.split('/')
  const wanted = pattern.split('/')
  return wanted.length === parts.length && wanted.every((part, i) => part.startsWith(':') || part === parts[i])
}

/** Whether an address of the site leads somewhere. Without the built pages only what the desk publishes can be judged. */
export function buildPathChecker(published: string[], web: WebBuild | undefined) {
  const written = new Set(published)
  const pages = web && [...web.sitePages.map(({ path }) => path), ...web.screenPaths]
  return (address: string): boolean => {
    if (FAQ_PATH_PATTERN.test(address)) return written.has(address.replace(/^\/faq/, '/resources/faq'))
    const path = stripQueryAndHash(address)
    if (written.has(path) || path.startsWith('/api/')) return true
    if (CONTENT_PATH_PATTERN.test(path)) return pages?.includes(path) ?? false
    return !pages || pages.some((pattern) => matchesPattern(pattern, path))
  }
}

/** The text as it would be shown, and what should be mended in it. */
export async function previewContent(ctx: ContentDeps, web: WebBuild | undefined, markdown: string) {
  const { db } = ctx
  const { words, ...prose } = await parseTypedText(ctx, markdown, 'body')
  const wanted = listProseImages(prose.blocks).flatMap(({ src }) => parseSiteImageId(src) ?? [])
  const found = wanted.length
    ? await db
        .select({ id: siteImages.id })
        .from(siteImages)
        .where(and(eq(siteImages.companyId, SITE_OWNER_ID), inArray(siteImages.id, wanted)))
    : []
  const images = new Set(found.map(({ id }) => id))
  const isAddress = buildPathChecker(await listPublishedPaths(db), web)
  const isKnown = (address: string) => {
    const imageId = parseSiteImageId(address)
    if (imageId) return images.has(imageId)
    return /^\/(?:product|illustrations)\//.test(address) || isAddress(address)
  }
  return {
    body: prose.blocks,
    words,
    readingMinutes: computeReadingMinutes(words),
    warnings: listProseWarnings(prose, isKnown),
  }
}
