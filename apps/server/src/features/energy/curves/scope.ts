import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { isHeldBy } from '../../../core/held.ts'
import { withinLimit } from '../../../core/limit.ts'
import { seatSql } from '../../../core/point-label.ts'
import type { Db } from '../../../db/client.ts'
import { participants, participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import type { DaySpan } from './aligned.ts'

export type ReadablePoint = {
  id: string
  prm: string
  label: string
  direction: 'consumption' | 'production'
  storage?: true
  /** The days that the reader may see. */
  spans: DaySpan[]
}

/** The points of the company; in the portal and within a limit, those of the participations, within their days. */
const curveScope = (actor: Actor): SQL | undefined =>
  and(
    eq(points.companyId, actor.companyId),
    actor.space === 'office' ? withinLimit(actor, participations.operationId) : isHeldBy(actor),
  )

const NAME = {
  id: points.id,
  prm: points.prm,
  direction: sql<ReadablePoint['direction']>`${points.direction}`,
  storage: points.storage,
  label: seatSql(sql`${points.label}`, sql`${participants.name}`),
  from: participations.startsOn,
  to: participations.endsOn,
}

const taking = (db: Db) =>
  db
    .select(NAME)
    .from(points)
    .leftJoin(
      participations,
      and(eq(participations.companyId, points.companyId), eq(participations.pointId, points.id)),
    )
    .leftJoin(
      participants,
      and(eq(participants.companyId, points.companyId), eq(participants.id, participations.participantId)),
    )

export type Wanted = { pointIds?: string[] | undefined; operationId?: string | undefined }

/**
 * What the reader may see of what they ask for. A point or an operation that is not theirs is unknown.
 * Through an operation the days are those of the participation; an administrator who names a point sees all of it.
 */
export async function readablePoints(db: Db, actor: Actor, { pointIds, operationId }: Wanted) {
  const rows = await taking(db)
    .where(
      and(
        curveScope(actor),
        pointIds && inArray(points.id, pointIds),
        operationId ? eq(participations.operationId, operationId) : undefined,
      ),
    )
    .orderBy(sql`fold(${NAME.label})`, points.prm, points.direction, participations.startsOn)
  const whole = actor.space === 'office' && !actor.operationIds && !operationId
  const found = new Map<string, ReadablePoint>()
  for (const { from, to, storage, ...point } of rows) {
    const known = found.get(point.id) ?? {
      ...point,
      ...(storage && { storage: true as const }),
      spans: whole ? [{ from: '', to: null }] : [],
    }
    if (!whole && from !== null) known.spans.push({ from, to })
    // The label is that of the latest holder.
    found.set(point.id, { ...known, label: point.label })
  }
  if (pointIds?.some((id) => !found.has(id))) throw new AppError('not-found')
  return [...found.values()]
}
