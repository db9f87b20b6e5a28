import { and, eq, type SQL, sql } from 'drizzle-orm'
import { memberships, participants } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { participantScope } from '../../energy/participants/participants.ts'

/** The account of the main holder, who is invited at the participant's own address. */
export const PARTICIPANT_MEMBERSHIP = and(
  eq(memberships.companyId, participants.companyId),
  eq(memberships.userId, participants.userId),
)

/**
 * Current and future members within the user's operations, and participants without any operation; former members are
 * not invited. Each part names the company, without which Citus cannot route the query to a single node.
 */
export const currentParticipantScope = (actor: Actor): SQL | undefined =>
  and(
    participantScope(actor),
    sql`(exists (select from participations s where s.company_id = ${actor.companyId}
         and s.participant_id = ${participants}.id and (s.ends_on is null or s.ends_on > ${getToday()}))
       or not exists (select from participations s where s.company_id = ${actor.companyId}
         and s.participant_id = ${participants}.id))`,
  )
