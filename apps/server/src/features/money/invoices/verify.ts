import { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { and, asc, eq, gt } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { invoiceSeries, invoices } from '../../../db/schema/index.ts'
import { snapshot } from '../../../db/snapshot.ts'
import { canonical } from '../../../hash.ts'
import { documentHash, NOTHING_BEFORE } from './chain.ts'
import { columnsOf } from './columns.ts'
import { numberOf, type Series } from './series.ts'

export type SeriesFault = 'changed' | 'removed' | 'dated' | 'cut'
export type SeriesVerdict = {
  companyId: number
  prefix: string
  year: number
  documents: number
  /** The first document of the series that is not as it was issued. */
  broken?: { number: string; fault: SeriesFault }
}
type Row = typeof invoices.$inferSelect

/** Lists read the columns, papers the snapshot: both must be what was issued. */
function sameColumns(row: Row): boolean {
  const issued = InvoiceSnapshot.safeParse(row.snapshot)
  if (!issued.success) return false
  const { buyerId, clientSellerId, ...own } = row
  const columns = columnsOf(issued.data)
  const kept = Object.fromEntries(Object.keys(columns).map((name) => [name, own[name as keyof typeof own]])) // its names
  return (
    canonical(kept) === canonical(columns) && (clientSellerId ? buyerId === null : buyerId === issued.data.buyer.id)
  )
}

const BATCH = 500

async function* documentsOf(db: Db, { companyId, id }: Series): AsyncGenerator<Row> {
  for (let position = 0; ; ) {
    const rows = await db
      .select()
      .from(invoices)
      .where(and(eq(invoices.companyId, companyId), eq(invoices.seriesId, id), gt(invoices.position, position)))
      .orderBy(asc(invoices.position))
      .limit(BATCH)
    if (!rows.length) return
    yield* rows
    position = rows.at(-1)?.position ?? position
  }
}

function faultOf(row: Row, series: Series, position: number, before: Row | undefined): SeriesFault | undefined {
  if (row.position !== position) return 'removed'
  const previous = before?.hash ?? NOTHING_BEFORE
  const linked = row.previousHash === previous && row.hash === documentHash(previous, row.snapshot)
  if (!linked || row.number !== numberOf(series, position) || !sameColumns(row)) return 'changed'
  return before && before.issuedOn > row.issuedOn ? 'dated' : undefined
}

async function verifyOne(db: Db, series: Series): Promise<SeriesVerdict> {
  const { companyId, prefix, year } = series
  const verdict = (documents: number, number?: string, fault?: SeriesFault): SeriesVerdict => ({
    companyId,
    prefix,
    year,
    documents,
    ...(number && fault ? { broken: { number, fault } } : {}),
  })
  let before: Row | undefined
  for await (const row of documentsOf(db, series)) {
    const position = (before?.position ?? series.before) + 1
    const fault = faultOf(row, series, position, before)
    if (fault) return verdict(position - 1 - series.before, numberOf(series, position), fault)
    before = row
  }
  const end = before?.position ?? series.before
  const count = end - series.before
  if (series.last > end) return verdict(count, numberOf(series, end + 1), 'cut')
  if (series.last < end || series.lastHash !== (before?.hash ?? NOTHING_BEFORE))
    return verdict(count, numberOf(series, Math.max(end, 1)), 'changed')
  return verdict(count)
}

/** Walks the chain of every series on one snapshot of the database. */
export const verifySeries = (db: Db): Promise<SeriesVerdict[]> =>
  snapshot(db, async (tx) => {
    const all = await tx
      .select()
      .from(invoiceSeries)
      .orderBy(asc(invoiceSeries.companyId), asc(invoiceSeries.prefix), asc(invoiceSeries.year))
    const verdicts: SeriesVerdict[] = []
    for (const series of all) verdicts.push(await verifyOne(tx, series))
    return verdicts
  })

export const SERIES_FAULTS: Record<SeriesFault, string> = {
  changed: 'il n’est plus tel qu’il a été émis',
  removed: 'il a été supprimé',
  dated: 'il porte une date d’avant celle du précédent',
  cut: 'la fin de la série a été coupée à partir de là',
}
