import { and, eq, sql } from 'drizzle-orm'
import { findOperation, operationScope } from '../../../core/operation.ts'
import { pointSeat } from '../../../core/point-label.ts'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { today } from '../../../today.ts'

export type Named = { operationId: string; operationName: string; pointId: string | null; pointName: string | null }

/** A plant of an operation, whenever it took part in it. */
const PLANTS = sql`participations s join points p on p.company_id = s.company_id and p.id = s.point_id
  and p.direction = 'production' and not p.storage`
const seatOf = ({ companyId }: Actor) => pointSeat(companyId, sql`p`, undefined, sql`s.operation_id`)

/** What the actor may see forecasts of: an operation within reach, and a plant that is or was in it. */
export async function findSubject(
  db: Db,
  actor: Actor,
  ask: { operationId: string; pointId?: string | undefined },
): Promise<Named> {
  const { id, name } = await findOperation(db, actor, ask.operationId)
  if (!ask.pointId) return { operationId: id, operationName: name, pointId: null, pointName: null }
  const { rows } = await db.execute<{ name: string }>(sql`
    select coalesce(nullif(${seatOf(actor)}, ''), p.prm) as name from ${PLANTS}
     where s.company_id = ${actor.companyId} and s.operation_id = ${id} and p.id = ${ask.pointId} limit 1`)
  if (!rows[0]) throw new AppError('not-found')
  return { operationId: id, operationName: name, pointId: ask.pointId, pointName: rows[0].name }
}

const MOST = 500
type Row = { operationId: string; subjectId: string; name: string; firstDay: string | null; lastDay: string | null }

/** Operations in service and their plants, with the days on which something was issued. */
export async function listSubjects(db: Db, actor: Actor) {
  const known = await db
    .select({ operationId: operations.id, name: operations.name })
    .from(operations)
    .where(and(operationScope(actor), eq(operations.status, 'active')))
    .orderBy(sql`fold(${operations.name})`)
    .limit(MOST)
  const ids = sql`${sql.param(known.map(({ operationId }) => operationId))}::uuid[]`
  const { rows } = await db.execute<Row>(sql`
    with subject as (
      select o.id as operation_id, o.id, o.name from operations o
       where o.company_id = ${actor.companyId} and o.id = any(${ids})
      union all
      select distinct s.operation_id, p.id, coalesce(nullif(${seatOf(actor)}, ''), p.prm) from ${PLANTS}
       where s.company_id = ${actor.companyId} and s.operation_id = any(${ids})
         and s.starts_on <= ${today()} and (s.ends_on is null or s.ends_on > ${today()}))
    select b.operation_id as "operationId", b.id as "subjectId", b.name, i.first::text as "firstDay", i.last::text as "lastDay"
      from subject b left join lateral (
        select min(issued_on) as first, max(issued_on) as last from issued_forecasts
         where company_id = ${actor.companyId} and subject_id = b.id and operation_id = b.operation_id
           and kind = 'production' and span = 'near') i on true
     order by fold(b.name), b.id limit ${2 * MOST}`)
  return known.map(({ operationId, name }) => {
    const own = rows.filter((row) => row.operationId === operationId)
    const whole = own.find(({ subjectId }) => subjectId === operationId)
    const plants = own
      .filter(({ subjectId }) => subjectId !== operationId)
      .map(({ subjectId, operationId: _, ...plant }) => ({ pointId: subjectId, ...plant }))
    return { operationId, name, firstDay: whole?.firstDay ?? null, lastDay: whole?.lastDay ?? null, plants }
  })
}
