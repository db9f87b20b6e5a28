import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { FoundIndex } from './found.ts'
import type { Writing } from './store.ts'

type Row = FoundIndex & { pointId: string }

const list = (rows: Row[], name: keyof Row, type: string) =>
  sql`${sql.param(rows.map((row) => row[name]))}::${sql.raw(type)}[]`

/** Lays indexes over what is known; those that are taken back go. How many the file says of our points. */
export async function storeIndexes(tx: Db, { companyId, known, receivedAt }: Writing, found: FoundIndex[]) {
  const rows = new Map<string, Row>()
  for (const index of found) {
    const pointId = known.find(index.prm, index.direction)
    if (pointId)
      rows.set([pointId, index.day, index.calendar, index.name, index.source].join('\u0000'), { ...index, pointId })
  }
  const all = [...rows.values()]
  const g = sql`unnest(${list(all, 'pointId', 'uuid')}, ${list(all, 'day', 'date')}, ${list(all, 'calendar', 'text')},
    ${list(all, 'name', 'text')}, ${list(all, 'wh', 'bigint')}, ${list(all, 'source', 'text')})
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
