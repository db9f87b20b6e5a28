import { and, eq, sql } from 'drizzle-orm'
import { operationScope, requireVisibleOperation } from '../../../core/access-scopes.ts'
import { pointNameOnDaySql } from '../../../core/point-names.ts'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'

export type ForecastSubjectNames = {
  operationId: string
  operationName: string
  pointId: string | null
  pointName: string | null
}

/** Past and present plants of an operation. */
const PLANTS_SQL = sql`participations s join points p on p.company_id = s.company_id and p.id = s.point_id
  and p.direction = 'production' and not p.storage`
const plantNameSql = ({ companyId }: Actor) => pointNameOnDaySql(companyId, sql`p`, undefined, sql`s.operation_id`)

/** Checks that the actor may read the operation, and that the plant is or was in it. */
export async function requireSubject(
  db: Db,
  actor: Actor,
  query: { operationId: string; pointId?: string | undefined },
): Promise<ForecastSubjectNames> {
  const { id, name } = await requireVisibleOperation(db, actor, query.operationId)
  if (!query.pointId) return { operationId: id, operationName: name, pointId: null, pointName: null }
  const { rows } = await db.execute<{ name: string }>(sql`
    select coalesce(nullif(${plantNameSql(actor)}, ''), p.prm) as name from ${PLANTS_SQL}
     where s.company_id = ${actor.companyId} and s.operation_id = ${id} and p.id = ${query.pointId} limit 1`)
  if (!rows[0]) throw new AppError('not-found')
  return { operationId: id, operationName: name, pointId: query.pointId, pointName: rows[0].name }
}

const MAX_LISTED_SUBJECTS = 500
type SubjectRow = {
  operationId: string
  subjectId: string
  name: string
  firstDay: string | null
  lastDay: string | null
}

/** Operations in service and their plants, with the days of their forecasts. */
export async function listForecastSubjects(db: Db, actor: Actor) {
  const known = await db
    .select({ operationId: operations.id, name: operations.name })
    .from(operations)
    .where(and(operationScope(actor), eq(operations.status, 'active')))
    .orderBy(sql`fold(${operations.name})`)
    .limit(MAX_LISTED_SUBJECTS)
  const ids = sql`${sql.param(known.map(({ operationId }) => operationId))}::uuid[]`
  const { rows } = await db.execute<SubjectRow>(sql`
    with subject as (
      select o.id as operation_id, o.id, o.name from operations o
       where o.company_id = ${actor.companyId} and o.id = any(${ids})
      union all
      select distinct s.operation_id, p.id, coalesce(nullif(${plantNameSql(actor)}, ''), p.prm) from ${PLANTS_SQL}
       where s.company_id = ${actor.companyId} and s.operation_id = any(${ids})
         and s.starts_on <= ${getToday()} and (s.ends_on is null or s.ends_on > ${getToday()}))
    select b.operation_id as "operationId", b.id as "subjectId", b.name, i.first::text as "firstDay", i.last::text as "lastDay"
      from subject b left join lateral (
        select min(issued_on) as first, max(issued_on) as last from issued_forecasts
         where company_id = ${actor.companyId} and subject_id = b.id and operation_id = b.operation_id
           and kind = 'production' and span = 'near') i on true
     order by fold(b.name), b.id limit ${2 * MAX_LISTED_SUBJECTS}`)
  return known.map(({ operationId, name }) => {
    const own = rows.filter((row) => row.operationId === operationId)
    const whole = own.find(({ subjectId }) => subjectId === operationId)
    const plants = own
      .filter(({ subjectId }) => subjectId !== operationId)
      .map(({ subjectId, operationId: _, ...plant }) => ({ pointId: subjectId, ...plant }))
    return { operationId, name, firstDay: whole?.firstDay ?? null, lastDay: whole?.lastDay ?? null, plants }
  })
}
