import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'

/** The SQL equivalent of `formatDwellingName`: dwelling and holder together, empty where neither is known. */
export const pointNameSql = (label: SQL, holder: SQL) =>
  sql<string>`concat_ws(', ', nullif(${label}, ''), nullif(${holder}, ${label}))`

/**
 * The name of a point with its holder on the day before `until`, else the next one. Within an operation, its holder
 * there: those who see only that operation must not learn who holds it elsewhere.
 */
export const pointNameOnDaySql = (companyId: number, point: SQL, until: SQL = sql`current_date + 1`, operation?: SQL) =>
  pointNameSql(
    sql`${point}.label`,
    sql`(select h.name from participations m join participants h on h.company_id = m.company_id and h.id = m.participant_id
          where m.company_id = ${companyId} and m.point_id = ${point}.id
            and ${operation ? sql`m.operation_id = ${operation}` : sql`true`}
          order by (m.starts_on < ${until}) desc, m.starts_on desc limit 1)`,
  )

/** A point in a sentence, as `formatMemberName` writes a member: « Bât. A, Mme Morel (12345678901234) ». */
export const pointNameWithPrmSql = (companyId: number, point: SQL) =>
  sql<string>`coalesce(nullif(${pointNameOnDaySql(companyId, point)}, '') || ' (' || ${point}.prm || ')', ${point}.prm)`

export async function loadPointName(db: Db, companyId: number, id: string): Promise<string> {
  const { rows } = await db.execute<{ name: string }>(
    sql`select ${pointNameWithPrmSql(companyId, sql`p`)} as name from points p where p.company_id = ${companyId} and p.id = ${id}`,
  )
  return rows[0]?.name ?? 'inconnu'
}

/** The location of a meter for a document; it says once that it is a battery. */
export const pointLocationSql = (point: SQL) => sql<string>`case
  when not ${point}.storage or ${point}.label ~* 'batterie' then ${point}.label
  when ${point}.label = '' then 'Batterie' else ${point}.label || ' (batterie)' end`

/** Names of points, as they were on a day. */
export async function loadPointNames(db: Db, companyId: number, day: string, points: { pointId: string }[]) {
  const { rows } = await db.execute<{ id: string; name: string }>(sql`
    select p.id, ${pointNameOnDaySql(companyId, sql`p`, sql`${day}::date + 1`)} as name from points p
     where p.company_id = ${companyId} and p.id = any(${sql.param(points.map(({ pointId }) => pointId))}::uuid[])`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/**
 * Whether a point makes its holder a consumer or a producer, for this table or alias. A battery does neither: it
 * returns what it took, and counts neither as consumption nor as production.
 */
export const consumesSql = (point: SQL) => sql`(${point}.direction = 'consumption' and not ${point}.storage)`
export const producesSql = (point: SQL) => sql`(${point}.direction = 'production' and not ${point}.storage)`
