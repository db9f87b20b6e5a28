import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ContentDraft, ContentKind } from '@voisol/contract/content'
import { count, sql } from 'drizzle-orm'
import { z } from 'zod'
import { loadSiteOwnerId } from '../../../core/site-owner.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { contents, contentVersions } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import { isWorkingDay } from '../bookings/index.ts'
import { cleanDraft, requireCategory } from './edit-content.ts'
import { isSiteContent } from './stored-content.ts'

const CONTENT_FOLDER = join(import.meta.dirname, '../../../../content')
const AUTHOR = 'Voisol'
const PARIS = 'Europe/Paris'

const wholeNumber = z.coerce.number().int()
/** What a file says of itself beside its text; dates are counted from the first start. */
const FrontMatter = z.strictObject({
  title: z.string(),
  summary: z.string(),
  category: z.string(),
  author: z.string().optional(),
  position: wholeNumber.optional(),
  publishedDaysAgo: wholeNumber.min(0).default(0),
  imageAlt: z.string().optional(),
  speaker: z.string().optional(),
  minutes: wholeNumber.optional(),
  joinUrl: z.string().optional(),
  daysAhead: wholeNumber.optional(),
  hour: z
    .string()
    .regex(/^\d{1,2}(?:[:h]\d{2})?$/)
    .optional(),
})

export type FirstContent = { kind: ContentKind; draft: ContentDraft; publishedAt: Date; file: string }

/** The working day at or after today and so many days, at that hour in Paris. */
export function computeWebinarStart(now: Temporal.Instant, daysAhead: number, hour: string): string {
  const [hours = 0, minutes = 0] = hour.split(/[:h]/).map(Number)
  let day = now.toZonedDateTimeISO(PARIS).toPlainDate().add({ days: daysAhead })
  while (!isWorkingDay(day.toString())) day = day.add({ days: 1 })
  const at = day.toZonedDateTime({
    timeZone: PARIS,
    plainTime: Temporal.PlainTime.from({ hour: hours, minute: minutes }),
  })
  return at.toInstant().toString()
}

function parseContentFile(path: string, text: string, now: Temporal.Instant): FirstContent {
  const [, folder, slug] = /([^/\\]+)[/\\]([^/\\]+)\.md$/.exec(path) ?? []
  const kind = ContentKind.parse(folder)
  const { values, body } = parseFrontMatter(text)
  const { publishedDaysAgo, daysAhead, hour, ...head } = FrontMatter.parse(values)
  const startsAt = kind === 'webinar' ? computeWebinarStart(now, daysAhead ?? 14, hour ?? '11') : null
  const draft = cleanDraft(ContentDraft.parse({ ...head, slug, body, startsAt }))
  requireCategory(kind, draft.category)
  const publishedAt = new Date(now.epochMilliseconds - publishedDaysAgo * 24 * 3600 * 1000)
  return { kind, draft, publishedAt, file: path }
}

/** The texts the product comes with, as `content/<kind>/<slug>.md`. */
export async function loadFirstContent(now = Temporal.Now.instant(), folder = CONTENT_FOLDER): Promise<FirstContent[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.md')).sort()
  return Promise.all(
    names.map(async (name) => {
      try {
        return parseContentFile(name, await readFile(join(folder, name), 'utf8'), now)
      } catch (error) {
        throw new Error(`content/${name}`, { cause: error })
      }
    }),
  )
}

/** Gives a site that has nothing yet its first texts, published. Announced webinars are the demonstration's alone. */
export async function addFirstContent(db: Db, { demo }: { demo: boolean }): Promise<number> {
  const found = await loadFirstContent()
  const chosen = found.filter(({ kind }) => demo || kind !== 'webinar')
  return transaction(db, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('first content', 0))`)
    const [existing] = await tx.select({ n: count() }).from(contents).where(isSiteContent)
    if (existing?.n || !chosen.length) return 0
    const companyId = await loadSiteOwnerId(tx)
    const rows = chosen.map(({ kind, draft, publishedAt }) => ({
      companyId,
      kind,
      slug: draft.slug,
      status: 'published',
      draft,
      live: draft,
      publishedAt,
      liveAt: publishedAt,
      updatedAt: publishedAt,
      updatedBy: AUTHOR,
    }))
    const added = await tx.insert(contents).values(rows).returning()
    await tx.insert(contentVersions).values(
      added.map(({ id, draft, updatedAt }) => ({
        companyId,
        contentId: id,
        number: 1,
        event: 'published',
        draft,
        savedAt: updatedAt,
        savedBy: AUTHOR,
      })),
    )
    const data = { contentIds: added.map(({ id }) => id) }
    await recordEvent(tx, { companyId, name: 'content.published', object: 'first content', data })
    return added.length
  })
}

/** The lines `key: value` between two lines of dashes, and the text below them. */
function parseFrontMatter(file: string): { values: Record<string, string>; body: string } {
  const [, head, body] = /^---\n(.*?)\n---\n(.*)$/s.exec(file.replace(/\r\n?/g, '\n')) ?? []
  if (head === undefined || body === undefined) throw new Error('front matter between two lines of --- expected')
  const values: Record<string, string> = {}
  for (const line of head.split('\n').filter((text) => text.trim() !== '')) {
    const [, key, value] = /^(\w+):\s*(.*)$/.exec(line) ?? []
    if (key === undefined || value === undefined) throw new Error(`"key: value" expected, not "${line}"`)
    values[key] = value.trim().replace(/^"(.*)"$/, '$1')
  }
  return { values, body: body.trim() }
}
