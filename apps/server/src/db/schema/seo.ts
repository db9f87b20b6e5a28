import { boolean, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, instant, version } from './columns.ts'
import { siteOwned } from './site-owned.ts'

export const seoRecords = pgTable(
  'seo_records',
  {
    companyId: integer('company_id').notNull(),
    path: text('path').notNull(),
    title: text('title').notNull().default(''),
    description: text('description').notNull().default(''),
    keywords: text('keywords').array().notNull().default([]),
    previewImageUrl: text('preview_image_url').notNull().default(''),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    updatedBy: text('updated_by').notNull(),
    version: version(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.path] })],
)

export const redirects = pgTable(
  'redirects',
  {
    ...siteOwned(),
    from: text('from_path').notNull(),
    to: text('to_path').notNull(),
    permanent: boolean('permanent').notNull().default(true),
    hits: integer('hits').notNull().default(0),
    lastHitAt: instant('last_hit_at'),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.id] }), uniqueIndex('redirects_from').on(t.companyId, t.from)],
)
