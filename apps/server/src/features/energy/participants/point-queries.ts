import type { points as endpoints, Point } from '@voisol/contract/points'
import { NBSP } from '@voisol/file-formats/french'
import { and, asc, count, eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { operationScope } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { operations, participants, participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { requireParticipant } from './edit-participant.ts'
import { PARTICIPATION_JOINS } from './enrolment-data.ts'
import { participationScope, pointScope } from './participant-scope.ts'

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

/** The whole company, without a limit. */
const seesWholeCompany = (actor: Actor) => actor.space === 'office' && actor.operationIds === null

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

/** A point and the days that may be shown of it. */
type ReadingRange = { pointId: string; from: string | null; to: string | null }
type LastDayRow = { point_id: string; day: string; step: number; watts: Buffer }

const MISSING = -1

/** The end of the last known step of a day. */
function getEndOfReadings({ day, step, watts }: LastDayRow): string | null {
  let steps = watts.length / 4
  while (steps > 0 && watts.readInt32LE((steps - 1) * 4) === MISSING) steps--
  if (!steps) return null
  const midnight = Temporal.PlainDate.from(day).toZonedDateTime('Europe/Paris')
  return midnight
    .add({ minutes: steps * step })
    .toInstant()
    .toString()
}

/** The end of known readings by point, from the last day of each. */
async function loadReceivedUntilByPoint(
  db: Db,
  companyId: number,
  readings: ReadingRange[],
): Promise<Map<string, string>> {
  if (!readings.length) return new Map()
  const { rows } = await db.execute<LastDayRow>(sql`
    select w."pointId" as point_id, d.day::text as day, d.step, d.watts
      from jsonb_to_recordset(${JSON.stringify(readings)}::jsonb) as w("pointId" uuid, "from" date, "to" date)
           cross join lateral (
             select c.day, c.step, c.watts from curve_days c
              where c.company_id = ${companyId} and c.point_id = w."pointId" and c.superseded_at is null and c.present > 0
                and (w."from" is null or c.day >= w."from") and (w."to" is null or c.day < w."to")
              order by c.day desc limit 1) d`)
  return new Map(
    rows.flatMap((row): [string, string][] => {
      const until = getEndOfReadings(row)
      return until ? [[row.point_id, until]] : []
    }),
  )
}

const DIRECTION_LABELS: Record<string, string> = { consumption: 'soutirage', production: 'injection' }

/** The id of a point given by id or PRM, among those the actor may see. */
export async function resolvePointId(db: Db, actor: Actor, ref: string): Promise<string> {
  if (!/^\d{14}$/.test(ref)) return ref
  const found = await db
    .select({ id: points.id, direction: points.direction })
    .from(points)
    .where(and(pointScope(actor), eq(points.prm, ref)))
  const [only, ...more] = found
  if (!only) throw new AppError('not-found')
  if (more.length === 0) return only.id
  const sides = found.map(({ id, direction }) => `${id} (${DIRECTION_LABELS[direction]})`).join(', ')
  throw new AppError('conflict', {
    message: `Le PRM ${ref} est connu en soutirage et en injection${NBSP}: nommez le point par son identifiant. ${sides}.`,
  })
}
