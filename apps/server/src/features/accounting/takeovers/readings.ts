import type { LastReading } from '@voisol/contract/takeovers'
import { sql } from 'drizzle-orm'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'

type LastReadingRow = Omit<LastReading, 'state'>

/** The first day not yet billed by the documents taken over. */
async function loadBilledUntil(db: Db, companyId: number, operationId: string): Promise<string | null> {
  const { rows } = await db.execute<{ day: string | null }>(sql`
    select (max(month) + interval '1 month')::date::text as day from past_documents
     where company_id = ${companyId} and operation_id = ${operationId} and kind = 'invoice'`)
  return rows[0]?.day ?? null
}

const getReadingState = ({ until, missing }: LastReadingRow): LastReading['state'] =>
  until === null ? 'none' : missing > 0 ? 'gap' : 'whole'

/** The last reading of each meter, and the days missing for the first month billed here: a gap is not a zero. */
export async function loadLastReadings(db: Db, actor: Actor, operationId: string) {
  await requireVisibleOperation(db, actor, operationId)
  const { companyId } = actor
  const since = await loadBilledUntil(db, companyId, operationId)
  const day = getToday()
  const { rows } = await db.execute<LastReadingRow>(sql`
    with seats as (
      select point_id, participant_id, greatest(${since}::date, min(starts_on)) as lo,
             least(${day}::date, case when bool_or(ends_on is null) then null else max(ends_on) end) as hi
        from participations
       where company_id = ${companyId} and operation_id = ${operationId}
         and (ends_on is null or ${since}::date is null or ends_on > ${since}::date)
       group by point_id, participant_id)
    select t.id, t.prm, t.label, p.name as holder, t.direction, t.storage, min(c.day)::text as "from", max(c.day)::text as until,
           (case when ${since}::date is null then 0
             else greatest(s.hi - s.lo, 0) - count(c.day) filter (where c.day >= s.lo and c.day < s.hi) end)::int as missing
      from seats s
      join points t on t.company_id = ${companyId} and t.id = s.point_id
      join participants p on p.company_id = ${companyId} and p.id = s.participant_id
      left join curve_days c on c.company_id = ${companyId} and c.point_id = t.id and c.superseded_at is null and c.present > 0
     group by t.id, t.prm, t.label, p.name, t.direction, t.storage, s.lo, s.hi
     order by fold(p.name), t.prm`)
  const items = rows.map((row) => ({ ...row, state: getReadingState(row) }))
  return { billedUntil: since, items }
}
