import { seatName } from '@voisol/contract/points'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { participants, participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import type { Period } from './period.ts'
import { joined, type Taking, takes, withOperations } from './roster.ts'
import { requireKnown } from './scope.ts'

export const nameOf = ({ label, participantName }: Pick<Taking, 'label' | 'participantName'>) =>
  seatName(label, participantName)

type Read = Pick<Taking, 'id' | 'operationId' | 'startsOn' | 'participantName' | 'label' | 'prm' | 'direction'>
type Query = Period & { operationId?: string | undefined }

/** Each holder and point of an operation by name, where they first take part: what a list is put in order by, and no more. */
export async function namedSeats(db: Db, actor: Actor, query: Query) {
  const { operationId } = query
  const { rows } = await db.execute<Read>(sql`
    select ${participations.id}, ${participations.operationId} as "operationId", ${participations.startsOn}::text as "startsOn",
           ${participants.name} as "participantName", ${points.label}, ${points.prm}, ${points.direction}
      from ${participations} ${joined} where ${takes(actor, query)}`)
  if (!rows.length) await requireKnown(db, actor, { operationId })
  const seats = await withOperations(db, actor, query, rows)
  const again = await cameBack(db, actor, query)
  return seats.filter(({ id }) => !again.has(id)).map((seat) => Object.assign(seat, { name: nameOf(seat) }))
}

/** Those who were there earlier in the period. Nobody is twice in an operation at a time: they came back after its first day. */
async function cameBack(db: Db, actor: Actor, query: Query): Promise<Set<string>> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select ${participations.id} from ${participations}
     where ${takes(actor, query)} and ${participations.startsOn} > ${query.from} and exists (
       select 1 from participations e
        where e.company_id = ${participations.companyId} and e.point_id = ${participations.pointId}
          and e.participant_id = ${participations.participantId} and e.operation_id = ${participations.operationId}
          and e.starts_on < ${participations.startsOn} and e.ends_on > ${query.from})`)
  return new Set(rows.map(({ id }) => id))
}
