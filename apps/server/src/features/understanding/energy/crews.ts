import { and, eq, sql } from 'drizzle-orm'
import { withinLimit } from '../../../core/limit.ts'
import type { Db } from '../../../db/client.ts'
import { operations, participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { type Member, requireKnown, type Selection } from './scope.ts'

/** What sums need to know of a member; `count` of them alike where they are taken together. */
export type Seat = Pick<
  Member,
  'operationId' | 'unitPrice' | 'step' | 'direction' | 'storage' | 'startsOn' | 'endsOn' | 'pointId'
> & { count?: number }

/** Groups of each operation, in this order: what was consumed, produced, charged and released. */
export const GROUPS = 4
export const sideOf = ({ direction, storage }: Pick<Seat, 'direction' | 'storage'>) =>
  (direction === 'production' ? 1 : 0) + (storage ? 2 : 0)

/** Whole operations are read from their kept sums; a part of one, or a client's own, from the days of the points. */
export const isWhole = ({ space }: Actor, { participantId, pointId }: Selection) =>
  space === 'office' && !participantId && !pointId

const joined = {
  operation: sql`${operations.companyId} = ${participations.companyId} and ${operations.id} = ${participations.operationId}`,
  point: sql`${points.companyId} = ${participations.companyId} and ${points.id} = ${participations.pointId}`,
}

const select = (db: Db, where: ReturnType<typeof and>): Promise<Seat[]> =>
  db
    .select({
      operationId: participations.operationId,
      unitPrice: operations.unitPrice,
      step: operations.stepMinutes,
      direction: sql<Member['direction']>`${points.direction}`,
      storage: points.storage,
      startsOn: participations.startsOn,
      endsOn: participations.endsOn,
      pointId: sql<string>`''`,
      count: sql<number>`count(*)::int`,
    })
    .from(participations)
    .innerJoin(operations, joined.operation)
    .innerJoin(points, joined.point)
    .where(where)
    .groupBy(
      participations.operationId,
      operations.unitPrice,
      operations.stepMinutes,
      points.direction,
      points.storage,
      participations.startsOn,
      participations.endsOn,
    )
    .orderBy(participations.startsOn, participations.operationId)

/** The members of whole operations, those that came and left together as one: ten thousand of them are a few dozen rows. */
export async function selectCrews(db: Db, actor: Actor, { operationId }: Selection): Promise<Seat[]> {
  const crews = await select(
    db,
    and(
      eq(participations.companyId, actor.companyId),
      withinLimit(actor, participations.operationId),
      operationId ? eq(participations.operationId, operationId) : undefined,
    ),
  )
  if (!crews.length) await requireKnown(db, actor, { operationId })
  return crews
}

/** Of these operations, whoever asks: for sums in which nobody can be recognised. */
export const crewsOf = (db: Db, companyId: number, operationIds: string[]): Promise<Seat[]> =>
  select(
    db,
    and(
      eq(participations.companyId, companyId),
      sql`${participations.operationId} = any(${sql.param(operationIds)}::uuid[])`,
    ),
  )
