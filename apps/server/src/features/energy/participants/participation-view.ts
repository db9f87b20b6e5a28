import type { Participation } from '@voisol/contract/points'
import { and, asc, eq, type SQL } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { operations, participants, participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { PARTICIPATION_JOINS } from './enrol-known.ts'
import type { ParticipationDays } from './periods.ts'
import { participationScope } from './scope.ts'

const selectParticipations = (db: Db, where: SQL | undefined) =>
  db
    .select({
      participation: participations,
      point: points,
      operationName: operations.name,
      participantName: participants.name,
    })
    .from(participations)
    .innerJoin(points, PARTICIPATION_JOINS.point)
    .innerJoin(operations, PARTICIPATION_JOINS.operation)
    .innerJoin(participants, PARTICIPATION_JOINS.participant)
    .where(where)
    .orderBy(asc(participations.startsOn), asc(points.prm), asc(participations.id))

export function getParticipationState(day: string, { startsOn, endsOn }: ParticipationDays): Participation['state'] {
  if (startsOn > day) return 'upcoming'
  return endsOn !== null && endsOn <= day ? 'past' : 'active'
}

type ParticipationJoinedRow = Awaited<ReturnType<typeof selectParticipations>>[number]

/** The columns only store what the contract allows. */
const toParticipationView = (
  { participation, point: { address, ...point }, ...names }: ParticipationJoinedRow,
  day: string,
) =>
  ({
    ...participation,
    ...names,
    point: { ...point, pointAddress: address },
    state: getParticipationState(day, participation),
  }) as Participation

export const listParticipationsWhere = async (db: Db, actor: Actor, where: SQL | undefined) => {
  const rows = await selectParticipations(db, and(participationScope(actor), where))
  return rows.map((row) => toParticipationView(row, getToday()))
}

export async function loadParticipation(db: Db, actor: Actor, id: string): Promise<Participation> {
  const [found] = await listParticipationsWhere(db, actor, eq(participations.id, id))
  if (!found) throw new AppError('not-found')
  return found
}
