import type { FeedFormat } from '@voisol/contract/feed'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { DATA_SET_SOURCES } from './data-set-sources.ts'
import { formatCsvHead } from './encode-csv-and-json.ts'
import { buildParquetFooter, PARQUET_MAGIC, shiftGroup } from './encode-parquet.ts'
import { type ExportOrder, toDataSetQuery } from './export-order.ts'
import { listTransferables } from './packed-days.ts'
import { buildDictionaryJson } from './write-export.ts'

export const FEED_TYPES: Record<FeedFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
}

/** Streams a data set as a file: only one part of it is in memory. */
export async function* streamDataSetFile(
  { db, compute }: Pick<Deps, 'db' | 'compute'>,
  actor: Actor,
  order: ExportOrder & { format: FeedFormat },
): AsyncGenerator<Uint8Array> {
  const { columns, read } = DATA_SET_SOURCES[order.dataSet]
  const { format, dialect } = order
  const groups: ReturnType<typeof shiftGroup>[] = []
  const head = { csv: Buffer.from(formatCsvHead(columns, dialect)), json: Buffer.from('['), parquet: PARQUET_MAGIC }[
    format
  ]
  yield head
  let place = head.length
  let further = false
  for await (const { data } of read(toDataSetQuery(db, actor, order), '')) {
    const options = { companyId: actor.companyId, moved: listTransferables(data) }
    const { bytes, about } = await compute('exports.encode', { columns, data, format, dialect, further }, options)
    if (about) groups.push(shiftGroup(about, place))
    yield bytes
    place += bytes.length
    further = true
  }
  if (format === 'json') yield Buffer.from('\n]\n')
  if (format === 'parquet') yield buildParquetFooter(columns, groups, buildDictionaryJson(order))
}
