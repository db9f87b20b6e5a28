import { and, eq, inArray } from 'drizzle-orm'
import { SITE } from '../../../core/site-company.ts'
import { siteImages } from '../../../db/schema/index.ts'
import { imageIdOf } from '../../../prose/hrefs.ts'
import { picturesOf } from '../../../prose/walk.ts'
import { warningsOf } from '../../../prose/warnings.ts'
import { readingMinutes } from '../../../prose/words.ts'
import type { WebBuild } from '../../../web-build.ts'
import { CONTENT_ADDRESS } from './address.ts'
import { publishedAddresses } from './published.ts'
import { type Reader, readTyped } from './texts.ts'

const QUESTIONS = /^\/(?:resources\/)?faq#/
const plain = (address: string) => (address.split(/[?#]/)[0] ?? '').replace(/(?<=.)\/$/, '')
/** `/projects/:id` answers to any id. */
const fits = (pattern: string, path: string) => {
  const parts = path.split('/')
  const wanted = pattern.split('/')
  return wanted.length === parts.length && wanted.every((part, i) => part.startsWith(':') || part === parts[i])
}

/** Whether an address of the site leads somewhere. Without the built pages only what the desk publishes can be judged. */
export function knownAddresses(published: string[], web: WebBuild | undefined) {
  const written = new Set(published)
  const pages = web && [...web.sitePages.map(({ path }) => path), ...web.screenPaths]
  return (address: string): boolean => {
    if (QUESTIONS.test(address)) return written.has(address.replace(/^\/faq/, '/resources/faq'))
    const path = plain(address)
    if (written.has(path) || path.startsWith('/api/')) return true
    if (CONTENT_ADDRESS.test(path)) return pages?.includes(path) ?? false
    return !pages || pages.some((pattern) => fits(pattern, path))
  }
}

/** The text as it would be shown, and what should be mended in it. */
export async function previewOf(ctx: Reader, web: WebBuild | undefined, markdown: string) {
  const { db } = ctx
  const { words, ...prose } = await readTyped(ctx, markdown, 'body')
  const wanted = picturesOf(prose.blocks).flatMap(({ src }) => imageIdOf(src) ?? [])
  const found = wanted.length
    ? await db
        .select({ id: siteImages.id })
        .from(siteImages)
        .where(and(eq(siteImages.companyId, SITE), inArray(siteImages.id, wanted)))
    : []
  const images = new Set(found.map(({ id }) => id))
  const isAddress = knownAddresses(await publishedAddresses(db), web)
  const isKnown = (address: string) => {
    const imageId = imageIdOf(address)
    if (imageId) return images.has(imageId)
    return /^\/(?:product|illustrations)\//.test(address) || isAddress(address)
  }
  return { body: prose.blocks, words, readingMinutes: readingMinutes(words), warnings: warningsOf(prose, isKnown) }
}
