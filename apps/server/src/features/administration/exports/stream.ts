import type { FeedFormat } from '@voisol/contract/feed'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { dictionaryJson } from './dictionary.ts'
import { footerOf, MAGIC, shifted } from './encode-parquet.ts'
import { csvHead } from './encode-text.ts'
import { askingOf, type Order } from './order.ts'
import { movedBy } from './packed.ts'
import { SOURCES } from './table.ts'

export const FEED_TYPES: Record<FeedFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
}

/** A data set as it is read: what leaves is gone, no more than a part of it is in memory. */
export async function* pieces(
  { db, compute }: Pick<Deps, 'db' | 'compute'>,
  actor: Actor,
  order: Order & { format: FeedFormat },
): AsyncGenerator<Uint8Array> {
  const { columns, read } = SOURCES[order.dataSet]
  const { format, dialect } = order
  const groups: ReturnType<typeof shifted>[] = []
  const head = { csv: Buffer.from(csvHead(columns, dialect)), json: Buffer.from('['), parquet: MAGIC }[format]
  yield head
  let place = head.length
  let further = false
  for await (const { data } of read(askingOf(db, actor, order), '')) {
    const options = { companyId: actor.companyId, moved: movedBy(data) }
    const { bytes, about } = await compute('exports.encode', { columns, data, format, dialect, further }, options)
    if (about) groups.push(shifted(about, place))
    yield bytes
    place += bytes.length
    further = true
  }
  if (format === 'json') yield Buffer.from('\n]\n')
  if (format === 'parquet') yield footerOf(columns, groups, dictionaryJson(order))
}
