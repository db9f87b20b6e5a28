import type { points as endpoints, Point } from '@voisol/contract/points'
import { and, asc, count, eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { operationScope } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list.ts'
import { operations, participants, participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { PARTICIPATION_JOINS } from './enrol-known.ts'
import { loadReceivedUntilByPoint, type ReadingRange } from './received.ts'
import { participationScope, pointScope, seesWholeCompany } from './scope.ts'
import { requireParticipant } from './write.ts'

type ListPointsQuery = z.output<typeof endpoints.list.query>
type PointFilter = Partial<Pick<ListPointsQuery, 'operationId' | 'participantId'>>

/** The participation to show for each point: today's, else the next, else the last; for a client only their own. */
function selectDisplayedParticipations(db: Db, actor: Actor, { operationId, participantId }: PointFilter) {
  const day = getToday()
  const past = sql`coalesce(${participations.endsOn} <= ${day}, false)`
  const distance = sql`abs(${participations.startsOn} - ${day}::date)`
  return db
    .selectDistinctOn([participations.pointId], {
      pointId: participations.pointId,
      participantId: participations.participantId,
      participantName: sql<string>`${participants.name}`.as('participant_name'),
      operationId: participations.operationId,
      operationName: sql<string>`${operations.name}`.as('operation_name'),
      startsOn: participations.startsOn,
      endsOn: participations.endsOn,
    })
    .from(participations)
    .innerJoin(participants, PARTICIPATION_JOINS.participant)
    .innerJoin(operations, PARTICIPATION_JOINS.operation)
    .where(
      and(
        participationScope(actor),
        operationId ? eq(participations.operationId, operationId) : undefined,
        participantId ? eq(participations.participantId, participantId) : undefined,
      ),
    )
    .orderBy(participations.pointId, past, sql`${participations.startsOn} > ${day}`, distance)
    .as('shown')
}

function selectPoints(
  db: Db,
  actor: Actor,
  filter: PointFilter,
  where: (displayed: ReturnType<typeof selectDisplayedParticipations>) => SQL | undefined,
) {
  const displayed = selectDisplayedParticipations(db, actor, filter)
  const { participantId, participantName, operationId, operationName, startsOn, endsOn } = displayed
  const fields = { participantId, participantName, operationId, operationName, startsOn, endsOn }
  const query = () =>
    db
      .select({ point: points, shown: fields })
      .from(points)
      .leftJoin(displayed, eq(displayed.pointId, points.id))
      .where(and(pointScope(actor), where(displayed)))
  return { shown: displayed, query }
}
type PointListRow = Awaited<ReturnType<ReturnType<typeof selectPoints>['query']>>[number]

/** The columns only store what the contract allows. */
function toPointView({ point: { address, ...point }, shown }: PointListRow, received: Map<string, string>): Point {
  return {
    ...point,
    pointAddress: address,
    participantId: shown?.participantId ?? null,
    participantName: shown?.participantName ?? '',
    operationId: shown?.operationId ?? null,
    operationName: shown?.operationName ?? '',
    startsOn: shown?.startsOn ?? null,
    endsOn: shown?.endsOn ?? null,
    receivedUntil: received.get(point.id) ?? null,
  } as Point
}

/** In the portal or with a limit, readings are only shown within the participation. */
const toReadingRange = (actor: Actor, { point, shown }: PointListRow): ReadingRange => ({
  pointId: point.id,
  from: seesWholeCompany(actor) ? null : (shown?.startsOn ?? null),
  to: seesWholeCompany(actor) ? null : (shown?.endsOn ?? null),
})

async function loadPointViews(db: Db, actor: Actor, rows: PointListRow[]) {
  const received = await loadReceivedUntilByPoint(
    db,
    actor.companyId,
    rows.map((row) => toReadingRange(actor, row)),
  )
  return rows.map((row) => toPointView(row, received))
}

/** Ids in a filter must be readable, otherwise they are unknown. */
async function requireFilterReadable(db: Db, actor: Actor, { operationId, participantId }: PointFilter) {
  if (participantId) await requireParticipant(db, actor, participantId)
  if (!operationId) return
  const own = seesWholeCompany(actor)
    ? db
        .select({ id: operations.id })
        .from(operations)
        .where(and(operationScope(actor), eq(operations.id, operationId)))
    : db
        .select({ id: participations.id })
        .from(participations)
        .where(and(participationScope(actor), eq(participations.operationId, operationId)))
  if (!(await own.limit(1)).length) throw new AppError('not-found')
}

export async function listPointViews(db: Db, actor: Actor, list: ListPointsQuery) {
  await requireFilterReadable(db, actor, list)
  const isFiltered = Boolean(list.operationId || list.participantId)
  const { shown, query } = selectPoints(db, actor, list, (of) =>
    and(
      isFiltered ? sql`${of.pointId} is not null` : undefined,
      list.direction && eq(points.direction, list.direction),
      matchesSearchWords(list.q, [
        points.prm,
        points.label,
        points.address,
        sql`${of.participantName}`,
        sql`${of.operationName}`,
      ]),
    ),
  )
  const sorts = {
    prm: points.prm,
    label: sql`fold(${points.label})`,
    participantName: sql`fold(${shown.participantName})`,
    operationName: sql`fold(${shown.operationName})`,
    segment: points.segment,
    direction: points.direction,
    startsOn: shown.startsOn,
    peakWatts: points.peakWatts,
    subscribedVa: points.subscribedVa,
  }
  const { limit, offset } = toLimitOffset(list)
  const rows = await query()
    .orderBy(buildOrderBy(list.sort, sorts, 'participantName'), asc(points.prm), asc(points.direction))
    .limit(limit)
    .offset(offset)
  const [total] = await db.select({ n: count() }).from(query().as('found'))
  return { items: await loadPointViews(db, actor, rows), total: total?.n ?? 0 }
}

export async function loadPoint(db: Db, actor: Actor, id: string): Promise<Point> {
  const rows = await selectPoints(db, actor, {}, () => eq(points.id, id)).query()
  const [point] = await loadPointViews(db, actor, rows)
  if (!point) throw new AppError('not-found')
  return point
}
