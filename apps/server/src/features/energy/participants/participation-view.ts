import type { Participation } from '@voisol/contract/points'
import { and, asc, eq, type SQL } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { operations, participants, participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { today } from '../../../today.ts'
import { joined } from './enrol-known.ts'
import type { Span } from './periods.ts'
import { participationScope } from './scope.ts'

const read = (db: Db, where: SQL | undefined) =>
  db
    .select({
      participation: participations,
      point: points,
      operationName: operations.name,
      participantName: participants.name,
    })
    .from(participations)
    .innerJoin(points, joined.point)
    .innerJoin(operations, joined.operation)
    .innerJoin(participants, joined.participant)
    .where(where)
    .orderBy(asc(participations.startsOn), asc(points.prm), asc(participations.id))

export function stateOn(day: string, { startsOn, endsOn }: Span): Participation['state'] {
  if (startsOn > day) return 'upcoming'
  return endsOn !== null && endsOn <= day ? 'past' : 'active'
}

type Row = Awaited<ReturnType<typeof read>>[number]

/** The columns hold what the contract allows: every write passes by it. */
const toParticipation = ({ participation, point: { address, ...point }, ...names }: Row, day: string) =>
  ({
    ...participation,
    ...names,
    point: { ...point, pointAddress: address },
    state: stateOn(day, participation),
  }) as Participation

export const participationsWhere = async (db: Db, actor: Actor, where: SQL | undefined) => {
  const rows = await read(db, and(participationScope(actor), where))
  return rows.map((row) => toParticipation(row, today()))
}

export async function getParticipation(db: Db, actor: Actor, id: string): Promise<Participation> {
  const [found] = await participationsWhere(db, actor, eq(participations.id, id))
  if (!found) throw new AppError('not-found')
  return found
}
