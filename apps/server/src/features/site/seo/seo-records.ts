import { DEFAULT_METADATA } from '@voisol/contract/page-title'
import { SEO_LENGTHS, type SeoContent, type SeoRecord, type seo } from '@voisol/contract/seo'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { loadSiteOwnerId, SITE_OWNER_ID } from '../../../core/site-owner.ts'
import type { Db } from '../../../db/client.ts'
import { toLimitOffset } from '../../../db/list-query.ts'
import { seoRecords } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import type { WebBuild } from '../../../web-build.ts'
import { findKnownPage, type KnownPage, listKnownPages } from './known-pages.ts'

const NBSP = '\u00a0'
const PART_LABELS = { title: 'Titre', description: 'Description' } as const
const MISSING_MESSAGES = { title: 'Titre manquant.', description: 'Description manquante.' } as const
const DUPLICATE_MESSAGES = { title: 'Même titre que', description: 'Même description que' } as const
type Part = keyof typeof PART_LABELS

const formatCharacters = (n: number) => `${n}${NBSP}${n < 2 ? 'caractère' : 'caractères'}`

function checkLength(part: Part, text: string): string[] {
  const { min, max } = SEO_LENGTHS[part]
  // What a reader counts, not what a computer stores.
  const length = [...text].length
  if (!length) return [MISSING_MESSAGES[part]]
  const short = part === 'title' ? 'trop court' : 'trop courte'
  const long = part === 'title' ? 'trop long' : 'trop longue'
  if (length < min) return [`${PART_LABELS[part]} ${short}${NBSP}: ${formatCharacters(length)}, ${min}${NBSP}au moins.`]
  if (length > max) return [`${PART_LABELS[part]} ${long}${NBSP}: ${formatCharacters(length)}, ${max}${NBSP}au plus.`]
  return []
}

type ServedPage = { path: string; served: SeoContent }
type ContentIndex = Record<Part, Map<string, string[]>>

/** Which addresses serve each title and each description. */
function indexByContent(pages: ServedPage[]): ContentIndex {
  const others: ContentIndex = { title: new Map(), description: new Map() }
  for (const part of ['title', 'description'] as const)
    for (const { path, served } of pages)
      others[part].set(served[part], [...(others[part].get(served[part]) ?? []), path])
  return others
}

const listSeoWarnings = ({ path, served }: ServedPage, others: ContentIndex): string[] =>
  (['title', 'description'] as const).flatMap((part) => {
    const same = (others[part].get(served[part]) ?? []).filter((other) => other !== path)
    return [
      ...checkLength(part, served[part]),
      ...(same[0] && served[part] ? [`${DUPLICATE_MESSAGES[part]} ${same[0]}.`] : []),
    ]
  })

type Row = typeof seoRecords.$inferSelect
const EMPTY_RECORD = { title: '', description: '', keywords: [], previewImageUrl: '' }

/** What is written for the address, else what the page says of itself. */
const mergeSeoContent = (own: SeoContent, row: SeoContent | undefined): SeoContent => ({
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

type Query = z.output<NonNullable<(typeof seo.list)['query']>>

const normalizeForSearch = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const STATE_FILTERS = {
  warning: (record: SeoRecord) => record.warnings.length > 0,
  record: (record: SeoRecord) => record.hasRecord,
  own: (record: SeoRecord) => !record.hasRecord,
}
const SORT_KEYS: Record<string, (record: SeoRecord) => string> = {
  path: ({ path }) => path,
  title: ({ served }) => served.title,
  updatedAt: ({ updatedAt }) => updatedAt ?? '',
  warnings: ({ warnings }) => String(warnings.length).padStart(3, '0'),
}

/** The pages of a site are few, and most of them are in no table: they are filtered and sorted here. */
export async function listSeoRecords(db: Db, web: WebBuild | undefined, query: Query) {
  const words = normalizeForSearch(query.q ?? '').split(/\s+/)
  const found = (await listAllSeoRecords(db, web)).filter((record) => {
    const searchText = normalizeForSearch(
      [record.path, record.served.title, record.served.description, ...record.served.keywords].join(' '),
    )
    return words.every((word) => searchText.includes(word)) && (!query.state || STATE_FILTERS[query.state](record))
  })
  const wanted = query.sort ?? 'path'
  const name = wanted.replace(/^-/, '')
  const key = (Object.hasOwn(SORT_KEYS, name) && SORT_KEYS[name]) || (({ path }: SeoRecord) => path)
  const direction = wanted.startsWith('-') ? -1 : 1
  found.sort((a, b) => direction * key(a).localeCompare(key(b), 'fr') || a.path.localeCompare(b.path, 'fr'))
  const { limit, offset } = toLimitOffset(query)
  return { items: found.slice(offset, offset + limit), total: found.length }
}
