import { and, eq, type SQL, sql } from 'drizzle-orm'
import { memberships, participants } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { participantScope } from '../../energy/participants/participants.ts'

/** The first holder's account: who is invited by the participant's own address. */
export const PARTICIPANT_MEMBERSHIP = and(
  eq(memberships.companyId, participants.companyId),
  eq(memberships.userId, participants.userId),
)

/**
 * Within the actor's limit, those who take part or will, and those who are not in an operation yet: who has left is not invited.
 * The company is named in each part: Citus finds one machine for them all by nothing else.
 */
export const currentParticipantScope = (actor: Actor): SQL | undefined =>
  and(
    participantScope(actor),
    sql`(exists (select from participations s where s.company_id = ${actor.companyId}
         and s.participant_id = ${participants}.id and (s.ends_on is null or s.ends_on > ${getToday()}))
       or not exists (select from participations s where s.company_id = ${actor.companyId}
         and s.participant_id = ${participants}.id))`,
  )
