import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant, version } from './columns.ts'
import { siteOwned } from './site-owned.ts'

/** What the desk of the site writes: `draft` is what is being written, `live` what is shown. */
export const contents = pgTable(
  'contents',
  {
    ...siteOwned(),
    kind: text('kind').notNull(),
    /** Fixed once it has been published: addresses do not change. */
    slug: text('slug').notNull(),
    status: text('status').notNull(),
    draft: jsonb('draft').notNull(),
    live: jsonb('live'),
    publishAt: instant('publish_at'),
    publishedAt: instant('published_at'),
    /** When what is shown last changed. */
    liveAt: instant('live_at'),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    updatedBy: text('updated_by').notNull(),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    uniqueIndex('contents_address').on(t.companyId, t.kind, t.slug),
    index('contents_status').on(t.companyId, t.kind, t.status),
  ],
)

/** Every state a content has had; never changed. */
export const contentVersions = pgTable(
  'content_versions',
  {
    companyId: integer('company_id').notNull(),
    contentId: uuid('content_id').notNull(),
    number: integer('number').notNull(),
    event: text('event').notNull(),
    draft: jsonb('draft').notNull(),
    savedAt: instant('saved_at').notNull().defaultNow(),
    savedBy: text('saved_by').notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.contentId, t.number] })],
)

export const siteImages = pgTable(
  'site_images',
  {
    ...siteOwned(),
    name: text('name').notNull(),
    mediaType: text('media_type').notNull(),
    size: integer('size').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    sha256: text('sha256').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.id] }), uniqueIndex('site_images_content').on(t.companyId, t.sha256)],
)

/** Counts what changes the site: a page drawn under an older count is drawn again. */
export const siteRevisions = pgTable('site_revisions', {
  companyId: integer('company_id').primaryKey(),
  revision: integer('revision').notNull().default(1),
})
