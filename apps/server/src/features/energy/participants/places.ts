import { and, asc, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { operations, participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { PARTICIPATION_JOINS } from './enrol-known.ts'
import { getParticipationState } from './participation-view.ts'
import { participationScope } from './scope.ts'

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
