import { formatDwellingName } from '@voisol/contract/points'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { participants, participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import type { Period } from './period.ts'
import {
  addOperationFields,
  JOIN_PARTICIPANT_AND_POINT,
  type PeriodParticipation,
  participatesInPeriod,
} from './roster.ts'
import { requireSelectionExists } from './scope.ts'

export const getMemberName = ({ label, participantName }: Pick<PeriodParticipation, 'label' | 'participantName'>) =>
  formatDwellingName(label, participantName)

type NamedParticipationRow = Pick<
  PeriodParticipation,
  'id' | 'operationId' | 'startsOn' | 'participantName' | 'label' | 'prm' | 'direction'
>
type MemberNamesQuery = Period & { operationId?: string | undefined }

/** Each holder and point of an operation with the fields for sorting by name only. */
export async function listMembersByName(db: Db, actor: Actor, query: MemberNamesQuery) {
  const { operationId } = query
  const { rows } = await db.execute<NamedParticipationRow>(sql`
    select ${participations.id}, ${participations.operationId} as "operationId", ${participations.startsOn}::text as "startsOn",
           ${participants.name} as "participantName", ${points.label}, ${points.prm}, ${points.direction}
      from ${participations} ${JOIN_PARTICIPANT_AND_POINT} where ${participatesInPeriod(actor, query)}`)
  if (!rows.length) await requireSelectionExists(db, actor, { operationId })
  const namedParticipations = await addOperationFields(db, actor, query, rows)
  const returnedIds = await loadReturnedParticipationIds(db, actor, query)
  return namedParticipations
    .filter(({ id }) => !returnedIds.has(id))
    .map((participation) => Object.assign(participation, { name: getMemberName(participation) }))
}

/**
 * Participations with an earlier one in the period. Since nobody is twice in an operation at once, they start after its
 * first day.
 */
async function loadReturnedParticipationIds(db: Db, actor: Actor, query: MemberNamesQuery): Promise<Set<string>> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select ${participations.id} from ${participations}
     where ${participatesInPeriod(actor, query)} and ${participations.startsOn} > ${query.from} and exists (
       select 1 from participations e
        where e.company_id = ${participations.companyId} and e.point_id = ${participations.pointId}
          and e.participant_id = ${participations.participantId} and e.operation_id = ${participations.operationId}
          and e.starts_on < ${participations.startsOn} and e.ends_on > ${query.from})`)
  return new Set(rows.map(({ id }) => id))
}
