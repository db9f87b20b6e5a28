import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { ParsedIndex } from './found.ts'
import type { StoreFileInput } from './store.ts'

type IndexRow = ParsedIndex & { pointId: string }

const toSqlArray = (rows: IndexRow[], name: keyof IndexRow, type: string) =>
  sql`${sql.param(rows.map((row) => row[name]))}::${sql.raw(type)}[]`

/**
 * Stores indexes over known ones and deletes withdrawn ones. Returns the number of indexes of known points in the file.
 */
export async function storeParsedIndexes(
  tx: Db,
  { companyId, known, receivedAt }: StoreFileInput,
  found: ParsedIndex[],
) {
  const rows = new Map<string, IndexRow>()
  for (const index of found) {
    const pointId = known.find(index.prm, index.direction)
    if (pointId)
      rows.set([pointId, index.day, index.calendar, index.name, index.source].join('\u0000'), { ...index, pointId })
  }
  const all = [...rows.values()]
  const g = sql`unnest(${toSqlArray(all, 'pointId', 'uuid')}, ${toSqlArray(all, 'day', 'date')}, ${toSqlArray(all, 'calendar', 'text')},
    ${toSqlArray(all, 'name', 'text')}, ${toSqlArray(all, 'wh', 'bigint')}, ${toSqlArray(all, 'source', 'text')})
    g(point_id, day, calendar, name, wh, source)`
  await tx.execute(sql`
    delete from distributor_indexes d using ${g}
     where d.company_id = ${companyId} and d.point_id = g.point_id and d.day = g.day and d.calendar = g.calendar
       and d.name = g.name and d.source = g.source and g.wh is null`)
  await tx.execute(sql`
    insert into distributor_indexes as d (company_id, point_id, day, calendar, name, wh, source, received_at)
    select ${companyId}::int, g.point_id, g.day, g.calendar, g.name, g.wh, g.source, ${receivedAt.toISOString()}::timestamptz
      from ${g} where g.wh is not null
    on conflict (company_id, point_id, day, calendar, name, source) do update
      set wh = excluded.wh, received_at = excluded.received_at where d.wh <> excluded.wh`)
  return all.length
}
