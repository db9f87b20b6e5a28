import { DEFAULT_METADATA } from '@voisol/contract/page-title'
import type { SeoContent, SeoRecord, seo } from '@voisol/contract/seo'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { recordEvent } from '../../../core/events.ts'
import { loadSiteOwnerId, SITE_OWNER_ID } from '../../../core/site-company.ts'
import type { Db } from '../../../db/client.ts'
import { seoRecords } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import type { WebBuild } from '../../../web-build.ts'
import { findKnownPage, type KnownPage, listKnownPages } from './pages.ts'
import { indexByContent, listSeoWarnings } from './warnings.ts'

type Row = typeof seoRecords.$inferSelect
const EMPTY_RECORD = { title: '', description: '', keywords: [], previewImageUrl: '' }

/** What is written for the address, else what the page says of itself. */
export const mergeSeoContent = (own: SeoContent, row: SeoContent | undefined): SeoContent => ({
  title: row?.title || own.title,
  description: row?.description || own.description,
  keywords: row?.keywords.length ? row.keywords : own.keywords,
  previewImageUrl: row?.previewImageUrl || own.previewImageUrl,
})

/** A closing slash or a query names the same page. */
export const normalizePath = (path: string) => `/${(path.split(/[?#]/)[0] ?? '').replace(/^\/+|\/+$/g, '')}`
const isRecordOf = (path: string) => and(eq(seoRecords.companyId, SITE_OWNER_ID), eq(seoRecords.path, path))

const toSeoRecord = (page: KnownPage, row: Row | undefined) => ({
  path: page.path,
  own: page.own,
  served: mergeSeoContent(page.own, row),
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
export async function listAllSeoRecords(db: Db, web: WebBuild | undefined): Promise<SeoRecord[]> {
  const pages = await listKnownPages(db, web)
  const rows = await db.select().from(seoRecords).where(eq(seoRecords.companyId, SITE_OWNER_ID))
  const byPath = new Map(rows.map((row) => [row.path, row]))
  const known = new Set(pages.map(({ path }) => path))
  const withoutPage = rows
    .filter(({ path }) => !known.has(path))
    .map(({ path }): KnownPage => ({ path, own: DEFAULT_METADATA, indexed: web === undefined, changedAt: undefined }))
  const records = [...pages, ...withoutPage].map((page) => ({ page, record: toSeoRecord(page, byPath.get(page.path)) }))
  const others = indexByContent(records.filter(({ page }) => page.indexed).map(({ record }) => record))
  return records.map(({ page, record }) => {
    if (!page.indexed && !known.has(page.path))
      return { ...record, warnings: ['Il n’y a pas de page à cette adresse.'] }
    return { ...record, warnings: page.indexed ? listSeoWarnings(record, others) : [] }
  })
}

export async function loadSeoContent(db: Db, web: WebBuild | undefined, path: string): Promise<SeoContent> {
  const [row] = await db.select().from(seoRecords).where(isRecordOf(path))
  const page = await findKnownPage(db, web, path)
  return mergeSeoContent(page?.own ?? DEFAULT_METADATA, row)
}

const recordPageDescribed = async (tx: Db, path: string) =>
  recordEvent(tx, { companyId: await loadSiteOwnerId(tx), name: 'page.described', object: path, data: { path } })

type SaveSeoRecordInput = z.output<NonNullable<(typeof seo.save)['body']>>

export async function saveSeoRecord(tx: Db, who: string, { version, ...input }: SaveSeoRecordInput) {
  const path = normalizePath(input.path)
  const [before] = await tx.select().from(seoRecords).where(isRecordOf(path)).for('update')
  requireCurrentVersion(before ?? { ...EMPTY_RECORD, version: 0 }, { ...input, version })
  const values = { ...input, path, updatedAt: new Date(), updatedBy: who, version: version + 1 }
  const [after] = before
    ? await tx.update(seoRecords).set(values).where(isRecordOf(path)).returning()
    : await tx
        .insert(seoRecords)
        .values({ companyId: await loadSiteOwnerId(tx), ...values })
        .onConflictDoNothing()
        .returning()
  if (!after) throw new AppError('stale')
  await recordPageDescribed(tx, path)
  return { before: before ?? null, after }
}

export async function resetSeoRecord(tx: Db, path: string) {
  const [before] = await tx.delete(seoRecords).where(isRecordOf(path)).returning()
  if (before) await recordPageDescribed(tx, path)
  return before
}
