import { and, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { operations, participants, participations, points } from '../../../db/schema/index.ts'
import { snapshot } from '../../../db/snapshot.ts'
import type { Actor } from '../../../http/actor.ts'
import { isWhole } from './crews.ts'
import { keptSeats, readSeats } from './kept-seats.ts'
import { type Period, requirePeriod } from './period.ts'
import { type Member, memberScope, requireKnown } from './scope.ts'
import { addSums, type SeatSum, seatSum } from './seat-pack.ts'
import { seatOf } from './seats.ts'

type Query = Period & { operationId?: string | undefined }

/** Who takes part in the period, batteries apart, and no more of them than a comparison shows. */
export type RosterSeat = Pick<
  Member,
  | 'id'
  | 'operationId'
  | 'participantId'
  | 'pointId'
  | 'unitPrice'
  | 'step'
  | 'direction'
  | 'storage'
  | 'startsOn'
  | 'endsOn'
  | 'participantName'
  | 'label'
  | 'prm'
> & { tags: string[] }

async function rosterOf(db: Db, actor: Actor, { from, to, operationId }: Query): Promise<RosterSeat[]> {
  const where = and(
    memberScope(actor),
    sql`not ${points.storage} and ${participations.startsOn} < ${to}`,
    sql`(${participations.endsOn} is null or ${participations.endsOn} > ${from})`,
    operationId ? sql`${participations.operationId} = ${operationId}` : undefined,
  )
  // As the driver gives them: made into objects once more, ten thousand cost as much as all the rest.
  const { rows } = await db.execute<RosterSeat>(sql`
    select ${participations.id}, ${participations.operationId} as "operationId", ${participations.participantId} as "participantId",
           ${participations.pointId} as "pointId", ${operations.unitPrice} as "unitPrice", ${operations.stepMinutes} as step,
           ${points.direction}, ${points.storage}, ${participations.startsOn}::text as "startsOn",
           ${participations.endsOn}::text as "endsOn", ${participants.name} as "participantName", ${points.label},
           ${points.prm}, ${participants.tags}
      from ${participations}
      join ${operations} on ${operations.companyId} = ${participations.companyId} and ${operations.id} = ${participations.operationId}
      join ${participants} on ${participants.companyId} = ${participations.companyId}
       and ${participants.id} = ${participations.participantId}
      join ${points} on ${points.companyId} = ${participations.companyId} and ${points.id} = ${participations.pointId}
     where ${where} order by ${participations.startsOn}, ${participations.id}`)
  if (!rows.length) await requireKnown(db, actor, { operationId })
  return rows
}

/** Each holder and point of an operation that takes part in the period, however often they came and left, and what it sums to. */
export const seatsOver = (db: Db, actor: Actor, query: Query): Promise<{ seat: RosterSeat; sum: SeatSum }[]> =>
  snapshot(db, async (view) => {
    const period = requirePeriod(query)
    const roster = await rosterOf(view, actor, { ...query, ...period })
    const sums = await (isWhole(actor, {}) ? keptSeats : readSeats)(view, actor.companyId, roster, period)
    const seats = new Map<string, { seat: RosterSeat; sum: SeatSum }>()
    for (const [at, seat] of roster.entries()) {
      const [sum, known] = [seatSum(sums, at), seats.get(seatOf(seat))]
      seats.set(seatOf(seat), { seat, sum: known ? addSums(known.sum, sum) : sum })
    }
    return [...seats.values()]
  })
