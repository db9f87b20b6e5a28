import type { SeoRecord, seo } from '@voisol/contract/seo'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { pageOf } from '../../../db/list.ts'
import type { WebBuild } from '../../../web-build.ts'
import { allRecords } from './records.ts'

type Query = z.output<NonNullable<(typeof seo.list)['query']>>

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const STATES = {
  warning: (record: SeoRecord) => record.warnings.length > 0,
  record: (record: SeoRecord) => record.hasRecord,
  own: (record: SeoRecord) => !record.hasRecord,
}
const KEYS: Record<string, (record: SeoRecord) => string> = {
  path: ({ path }) => path,
  title: ({ served }) => served.title,
  updatedAt: ({ updatedAt }) => updatedAt ?? '',
  warnings: ({ warnings }) => String(warnings.length).padStart(3, '0'),
}

/** The pages of a site are few, and most of them are in no table: they are filtered and sorted here. */
export async function listRecords(db: Db, web: WebBuild | undefined, query: Query) {
  const words = fold(query.q ?? '').split(/\s+/)
  const found = (await allRecords(db, web)).filter((record) => {
    const hay = fold([record.path, record.served.title, record.served.description, ...record.served.keywords].join(' '))
    return words.every((word) => hay.includes(word)) && (!query.state || STATES[query.state](record))
  })
  const wanted = query.sort ?? 'path'
  const name = wanted.replace(/^-/, '')
  const key = (Object.hasOwn(KEYS, name) && KEYS[name]) || (({ path }: SeoRecord) => path)
  const turn = wanted.startsWith('-') ? -1 : 1
  found.sort((a, b) => turn * key(a).localeCompare(key(b), 'fr') || a.path.localeCompare(b.path, 'fr'))
  const { limit, offset } = pageOf(query)
  return { items: found.slice(offset, offset + limit), total: found.length }
}
