import type { Participation } from '@voisol/contract/points'
import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { operations, participants, participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { PARTICIPATION_JOINS } from './enrolment-data.ts'
import { participationScope } from './participant-scope.ts'
import type { ParticipationDays } from './participation-rules.ts'

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

function getParticipationState(day: string, { startsOn, endsOn }: ParticipationDays): Participation['state'] {
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

/** The current points of a participant in operations, or the past ones. */
export async function loadParticipantPlaces(db: Db, actor: Actor, only: SQL, day: string) {
  const rows = await db
    .select({
      participantId: participations.participantId,
      operation: { id: operations.id, name: operations.name },
      point: {
        id: points.id,
        prm: points.prm,
        label: points.label,
        direction: points.direction,
        storage: points.storage,
      },
      span: { startsOn: participations.startsOn, endsOn: participations.endsOn },
    })
    .from(participations)
    .innerJoin(points, PARTICIPATION_JOINS.point)
    .innerJoin(operations, PARTICIPATION_JOINS.operation)
    .where(and(participationScope(actor), sql`${participations.participantId} = ${only}`))
    .orderBy(asc(operations.name), asc(points.prm), asc(points.direction))
  const groups = Map.groupBy(rows, ({ participantId }) => participantId)
  return (id: string) => {
    const ownRows = groups.get(id) ?? []
    const currentRows = ownRows.filter(({ span }) => getParticipationState(day, span) !== 'past')
    const displayedRows = currentRows.length ? currentRows : ownRows
    return {
      operations: [...new Map(displayedRows.map(({ operation }) => [operation.id, operation])).values()],
      points: [
        ...new Map(
          displayedRows.map(({ point, operation }) => [point.id, { ...point, operationId: operation.id }]),
        ).values(),
      ],
    }
  }
}
