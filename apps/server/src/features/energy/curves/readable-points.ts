import { daysBetween } from '@voisol/energy/calendar'
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { isParticipantOfUser, withinOperationLimit } from '../../../core/access-scopes.ts'
import { pointNameSql } from '../../../core/point-names.ts'
import type { Db } from '../../../db/client.ts'
import { participants, participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import type { OpenDayRange } from './read-curves.ts'

export type ReadablePoint = {
  id: string
  prm: string
  label: string
  direction: 'consumption' | 'production'
  storage?: true
  /** The days that the reader may see. */
  spans: OpenDayRange[]
}

/** The company's points; in the portal or with a limit, those with a participation, within its days. */
const curveScope = (actor: Actor): SQL | undefined =>
  and(
    eq(points.companyId, actor.companyId),
    actor.space === 'office' ? withinOperationLimit(actor, participations.operationId) : isParticipantOfUser(actor),
  )

const POINT_COLUMNS = {
  id: points.id,
  prm: points.prm,
  direction: sql<ReadablePoint['direction']>`${points.direction}`,
  storage: points.storage,
  label: pointNameSql(sql`${points.label}`, sql`${participants.name}`),
  from: participations.startsOn,
  to: participations.endsOn,
}

const selectPointsWithParticipations = (db: Db) =>
  db
    .select(POINT_COLUMNS)
    .from(points)
    .leftJoin(
      participations,
      and(eq(participations.companyId, points.companyId), eq(participations.pointId, points.id)),
    )
    .leftJoin(
      participants,
      and(eq(participants.companyId, points.companyId), eq(participants.id, participations.participantId)),
    )

export type PointSelection = { pointIds?: string[] | undefined; operationId?: string | undefined }

/**
 * The requested points the reader may see; others are reported as unknown. By operation, days are limited to the
 * participation; an administrator who names a point sees all its days.
 */
export async function listReadablePoints(db: Db, actor: Actor, { pointIds, operationId }: PointSelection) {
  const rows = await selectPointsWithParticipations(db)
    .where(
      and(
        curveScope(actor),
        pointIds && inArray(points.id, pointIds),
        operationId ? eq(participations.operationId, operationId) : undefined,
      ),
    )
    .orderBy(sql`fold(${POINT_COLUMNS.label})`, points.prm, points.direction, participations.startsOn)
  const readsWholePoints = actor.space === 'office' && !actor.operationIds && !operationId
  const found = new Map<string, ReadablePoint>()
  for (const { from, to, storage, ...point } of rows) {
    const known = found.get(point.id) ?? {
      ...point,
      ...(storage && { storage: true as const }),
      spans: readsWholePoints ? [{ from: '', to: null }] : [],
    }
    if (!readsWholePoints && from !== null) known.spans.push({ from, to })
    // The label is that of the latest holder.
    found.set(point.id, { ...known, label: point.label })
  }
  if (pointIds?.some((id) => !found.has(id))) throw new AppError('not-found')
  return [...found.values()]
}

/** A little over a year: the most that a screen or file shows at once. */
const MAX_RANGE_DAYS = 400

export function requireDayRange(from: string, to: string, maxDays = MAX_RANGE_DAYS): void {
  const days = daysBetween(from, to)
  if (days < 1) throw fieldError('to', 'La fin de la période doit venir après son début.')
  if (days > maxDays)
    throw fieldError('to', `La période compte ${days} jours\u00a0: au plus ${maxDays} sont lus à la fois.`)
}
