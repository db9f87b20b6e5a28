import { and, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { participants, participations, points } from '../../../db/schema/index.ts'
import { snapshot } from '../../../db/snapshot.ts'
import type { Actor } from '../../../http/actor.ts'
import { column } from './columns.ts'
import { isWhole } from './crews.ts'
import { keptSeats, readSeats } from './kept-seats.ts'
import { type Period, requirePeriod } from './period.ts'
import { type Member, memberScope, requireKnown } from './scope.ts'
import { addSums, type SeatSum, seatSum } from './seat-pack.ts'

type Query = Period & { operationId?: string | undefined }
/** Or of these operations alone. */
type Reach = Query & { operationIds?: string[] }

type OfOperation = Pick<Member, 'operationName' | 'unitPrice' | 'step'>
/** Groups are only read for those who compare them. */
type Own = { tags: string[] | null } & Pick<
  Member,
  | 'id'
  | 'operationId'
  | 'participantId'
  | 'pointId'
  | 'direction'
  | 'storage'
  | 'startsOn'
  | 'endsOn'
  | 'participantName'
  | 'label'
  | 'prm'
>
/** A participation that has days in the period, and no more of it than is shown. */
export type Taking = Own & OfOperation

type Came = Pick<Taking, 'id' | 'startsOn'>
/** Those first who came first. */
export const inTime = (a: Came, b: Came) =>
  a.startsOn === b.startsOn ? (a.id < b.id ? -1 : 1) : a.startsOn < b.startsOn ? -1 : 1

export const takes = (actor: Actor, { from, to, operationId, operationIds }: Reach): SQL | undefined =>
  and(
    memberScope(actor),
    sql`${participations.startsOn} < ${to} and (${participations.endsOn} is null or ${participations.endsOn} > ${from})`,
    operationId ? sql`${participations.operationId} = ${operationId}` : undefined,
    operationIds ? sql`${participations.operationId} = any(${column(operationIds)}::uuid[])` : undefined,
  )

export const joined = sql`
  join ${participants} on ${participants.companyId} = ${participations.companyId}
   and ${participants.id} = ${participations.participantId}
  join ${points} on ${points.companyId} = ${participations.companyId} and ${points.id} = ${participations.pointId}`

/**
 * Who takes part in the period; a comparison leaves batteries apart. Operations are few: what is said of them is read once,
 * and not for each of their members.
 */
export async function takingPart(db: Db, actor: Actor, query: Reach, compared = false): Promise<Taking[]> {
  // As the driver gives them: made into objects once more, ten thousand cost as much as all the rest.
  const { rows } = await db.execute<Own>(sql`
    select ${participations.id}, ${participations.operationId} as "operationId", ${participations.participantId} as "participantId",
           ${participations.pointId} as "pointId", ${points.direction}, ${points.storage},
           ${participations.startsOn}::text as "startsOn", ${participations.endsOn}::text as "endsOn",
           ${participants.name} as "participantName", ${points.label}, ${points.prm},
           ${compared ? sql`${participants.tags}` : sql`null`} as tags
      from ${participations} ${joined}
     where ${and(takes(actor, query), compared ? sql`not ${points.storage}` : undefined)}`)
  if (!rows.length) await requireKnown(db, actor, { operationId: query.operationId })
  return withOperations(db, actor, query, rows)
}

/** The rows themselves, each with what is said of its operation. */
export async function withOperations<T extends { operationId: string }>(
  db: Db,
  { companyId }: Actor,
  { operationId }: Query,
  rows: T[],
): Promise<(T & OfOperation)[]> {
  const known = await operationsBy(db, companyId, operationId)
  return rows.flatMap((row) => {
    const operation = known.get(row.operationId)
    return operation ? [Object.assign(row, operation)] : []
  })
}

export async function operationsBy(
  db: Db,
  companyId: number,
  id: string | undefined,
): Promise<Map<string, OfOperation>> {
  const { rows } = await db.execute<OfOperation & { id: string }>(sql`
    select id, name as "operationName", unit_price as "unitPrice", step_minutes as step from operations
     where company_id = ${companyId}${id ? sql` and id = ${id}` : sql``}`)
  return new Map(rows.map(({ id: own, ...rest }) => [own, rest]))
}

type Summed = { seat: Taking; sum: SeatSum }

const isAgain = (seat: Taking, { seat: known }: Summed) =>
  known.participantId === seat.participantId && known.operationId === seat.operationId

/** Each holder and point of an operation, however often they came and left, and what it sums to; in the order in which they came. */
export async function sumSeats(db: Db, actor: Actor, all: Taking[], period: Period): Promise<Summed[]> {
  const taking = all.toSorted(inTime)
  const sums = await (isWhole(actor, {}) ? keptSeats : readSeats)(db, actor.companyId, taking, period)
  const seats: Summed[] = []
  // A point has few holders: they are looked through, and not named for each of ten thousand.
  const ofPoint = new Map<string, Summed[]>()
  for (let at = 0; at < taking.length; at++) {
    const seat = taking[at] as Taking // within bounds
    const sum = seatSum(sums, at)
    const own = ofPoint.get(seat.pointId)
    const known = own?.find((one) => isAgain(seat, one))
    if (known) Object.assign(known, { seat, sum: addSums(known.sum, sum) })
    else {
      const found = { seat, sum }
      seats.push(found)
      if (own) own.push(found)
      else ofPoint.set(seat.pointId, [found])
    }
  }
  return seats
}

/** Those of a comparison over the period. */
export const seatsOver = (db: Db, actor: Actor, query: Query): Promise<Summed[]> =>
  snapshot(db, async (view) => {
    const period = requirePeriod(query)
    const taking = await takingPart(view, actor, { ...query, ...period }, true)
    return sumSeats(view, actor, taking, period)
  })
