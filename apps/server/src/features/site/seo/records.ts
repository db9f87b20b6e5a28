import { FALLBACK } from '@voisol/contract/page-title'
import type { SeoContent, SeoRecord, seo } from '@voisol/contract/seo'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { record } from '../../../core/events.ts'
import { SITE, siteCompany } from '../../../core/site-company.ts'
import type { Db } from '../../../db/client.ts'
import { seoRecords } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import type { WebBuild } from '../../../web-build.ts'
import { type KnownPage, knownPage, knownPages } from './pages.ts'
import { gather, warningsFor } from './warnings.ts'

type Row = typeof seoRecords.$inferSelect
const EMPTY = { title: '', description: '', keywords: [], previewImageUrl: '' }

/** What is written for the address, else what the page says of itself. */
export const served = (own: SeoContent, row: SeoContent | undefined): SeoContent => ({
  title: row?.title || own.title,
  description: row?.description || own.description,
  keywords: row?.keywords.length ? row.keywords : own.keywords,
  previewImageUrl: row?.previewImageUrl || own.previewImageUrl,
})

/** A closing slash or a query names the same page. */
export const plainPath = (path: string) => `/${(path.split(/[?#]/)[0] ?? '').replace(/^\/+|\/+$/g, '')}`
const here = (path: string) => and(eq(seoRecords.companyId, SITE), eq(seoRecords.path, path))

const toRecord = (page: KnownPage, row: Row | undefined) => ({
  path: page.path,
  own: page.own,
  served: served(page.own, row),
  hasRecord: row !== undefined,
  title: row?.title ?? '',
  description: row?.description ?? '',
  keywords: row?.keywords ?? [],
  previewImageUrl: row?.previewImageUrl ?? '',
  updatedAt: row?.updatedAt.toISOString() ?? null,
  updatedBy: row?.updatedBy ?? '',
  version: row?.version ?? 0,
})

/** Every page of the site, and the records of addresses where there is none. */
export async function allRecords(db: Db, web: WebBuild | undefined): Promise<SeoRecord[]> {
  const pages = await knownPages(db, web)
  const rows = await db.select().from(seoRecords).where(eq(seoRecords.companyId, SITE))
  const byPath = new Map(rows.map((row) => [row.path, row]))
  const known = new Set(pages.map(({ path }) => path))
  const astray = rows
    .filter(({ path }) => !known.has(path))
    .map(({ path }): KnownPage => ({ path, own: FALLBACK, indexed: web === undefined, changedAt: undefined }))
  const records = [...pages, ...astray].map((page) => ({ page, record: toRecord(page, byPath.get(page.path)) }))
  const others = gather(records.filter(({ page }) => page.indexed).map(({ record }) => record))
  return records.map(({ page, record }) => {
    if (!page.indexed && !known.has(page.path))
      return { ...record, warnings: ['Il n’y a pas de page à cette adresse.'] }
    return { ...record, warnings: page.indexed ? warningsFor(record, others) : [] }
  })
}

export async function readServed(db: Db, web: WebBuild | undefined, path: string): Promise<SeoContent> {
  const [row] = await db.select().from(seoRecords).where(here(path))
  const page = await knownPage(db, web, path)
  return served(page?.own ?? FALLBACK, row)
}

const tellDescribed = async (tx: Db, path: string) =>
  record(tx, { companyId: await siteCompany(tx), name: 'page.described', object: path, data: { path } })

type Save = z.output<NonNullable<(typeof seo.save)['body']>>

export async function saveRecord(tx: Db, who: string, { version, ...input }: Save) {
  const path = plainPath(input.path)
  const [before] = await tx.select().from(seoRecords).where(here(path)).for('update')
  requireVersion(before ?? { ...EMPTY, version: 0 }, { ...input, version })
  const values = { ...input, path, updatedAt: new Date(), updatedBy: who, version: version + 1 }
  const [after] = before
    ? await tx.update(seoRecords).set(values).where(here(path)).returning()
    : await tx
        .insert(seoRecords)
        .values({ companyId: await siteCompany(tx), ...values })
        .onConflictDoNothing()
        .returning()
  if (!after) throw new AppError('stale')
  await tellDescribed(tx, path)
  return { before: before ?? null, after }
}

export async function resetRecord(tx: Db, path: string) {
  const [before] = await tx.delete(seoRecords).where(here(path)).returning()
  if (before) await tellDescribed(tx, path)
  return before
}
