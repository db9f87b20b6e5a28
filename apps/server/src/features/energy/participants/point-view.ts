import type { points as endpoints, Point } from '@voisol/contract/points'
import { and, asc, count, eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { operationScope } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { matches, orderBy, pageOf } from '../../../db/list.ts'
import { operations, participants, participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { today } from '../../../today.ts'
import { joined } from './enrol-known.ts'
import { type Reading, receivedUntil } from './received.ts'
import { participationScope, pointScope, seesAll } from './scope.ts'
import { requireParticipant } from './write.ts'

type Query = z.output<typeof endpoints.list.query>
type Filter = Partial<Pick<Query, 'operationId' | 'participantId'>>

/** The participation to show of each point: the one of today, else the next, else the last; a client's own alone. */
function shownParticipations(db: Db, actor: Actor, { operationId, participantId }: Filter) {
  const day = today()
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
    .innerJoin(participants, joined.participant)
    .innerJoin(operations, joined.operation)
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

function read(
  db: Db,
  actor: Actor,
  filter: Filter,
  where: (shown: ReturnType<typeof shownParticipations>) => SQL | undefined,
) {
  const shown = shownParticipations(db, actor, filter)
  const { participantId, participantName, operationId, operationName, startsOn, endsOn } = shown
  const fields = { participantId, participantName, operationId, operationName, startsOn, endsOn }
  const query = () =>
    db
      .select({ point: points, shown: fields })
      .from(points)
      .leftJoin(shown, eq(shown.pointId, points.id))
      .where(and(pointScope(actor), where(shown)))
  return { shown, query }
}
type Row = Awaited<ReturnType<ReturnType<typeof read>['query']>>[number]

/** The columns hold what the contract allows: every write passes by it. */
function toPoint({ point: { address, ...point }, shown }: Row, received: Map<string, string>): Point {
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

/** In the portal and within a limit, readings are told of the days of the participation alone. */
const readingOf = (actor: Actor, { point, shown }: Row): Reading => ({
  pointId: point.id,
  from: seesAll(actor) ? null : (shown?.startsOn ?? null),
  to: seesAll(actor) ? null : (shown?.endsOn ?? null),
})

async function toPoints(db: Db, actor: Actor, rows: Row[]) {
  const received = await receivedUntil(
    db,
    actor.companyId,
    rows.map((row) => readingOf(actor, row)),
  )
  return rows.map((row) => toPoint(row, received))
}

/** Ids in a filter are one's own, or unknown. */
async function requireFilter(db: Db, actor: Actor, { operationId, participantId }: Filter) {
  if (participantId) await requireParticipant(db, actor, participantId)
  if (!operationId) return
  const own = seesAll(actor)
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

export async function listPoints(db: Db, actor: Actor, list: Query) {
  await requireFilter(db, actor, list)
  const isFiltered = Boolean(list.operationId || list.participantId)
  const { shown, query } = read(db, actor, list, (of) =>
    and(
      isFiltered ? sql`${of.pointId} is not null` : undefined,
      list.direction && eq(points.direction, list.direction),
      matches(list.q, [points.prm, points.label, points.address, sql`${of.participantName}`, sql`${of.operationName}`]),
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
  const { limit, offset } = pageOf(list)
  const rows = await query()
    .orderBy(orderBy(list.sort, sorts, 'participantName'), asc(points.prm), asc(points.direction))
    .limit(limit)
    .offset(offset)
  const [total] = await db.select({ n: count() }).from(query().as('found'))
  return { items: await toPoints(db, actor, rows), total: total?.n ?? 0 }
}

export async function getPoint(db: Db, actor: Actor, id: string): Promise<Point> {
  const rows = await read(db, actor, {}, () => eq(points.id, id)).query()
  const [point] = await toPoints(db, actor, rows)
  if (!point) throw new AppError('not-found')
  return point
}
