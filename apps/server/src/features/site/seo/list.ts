import type { SeoRecord, seo } from '@voisol/contract/seo'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { toLimitOffset } from '../../../db/list.ts'
import type { WebBuild } from '../../../web-build.ts'
import { listAllSeoRecords } from './records.ts'

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
