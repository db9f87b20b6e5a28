import { and, eq, type SQL, sql } from 'drizzle-orm'
import { isParticipantOfUser, participantIdsOfUser, withinOperationLimit } from '../../../core/access-scopes.ts'
import { participants, participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

export type ParticipantRow = typeof participants.$inferSelect

/** Rows of the operations that the actor is limited to. */
const inAllowedOperations = (actor: Actor, column: 'participant_id' | 'point_id') => sql`(
  select ${sql.identifier(column)} from participations
   where company_id = ${actor.companyId} and ${withinOperationLimit(actor, sql`operation_id`)})`

const isAllowedParticipant = (actor: Actor): SQL | undefined =>
  actor.operationIds ? sql`${participants.id} in ${inAllowedOperations(actor, 'participant_id')}` : undefined

/** The company's participants, within the actor's limit; in the portal, those whose portal the user may read. */
export const participantScope = (actor: Actor): SQL | undefined =>
  and(
    eq(participants.companyId, actor.companyId),
    actor.space === 'office' ? isAllowedParticipant(actor) : isParticipantOfUser(actor),
  )

export const participationScope = (actor: Actor): SQL | undefined =>
  and(
    eq(participations.companyId, actor.companyId),
    actor.space === 'office'
      ? withinOperationLimit(actor, participations.operationId)
      : sql`${participations.participantId} in ${participantIdsOfUser(actor)}`,
  )

const isAllowedPoint = (actor: Actor): SQL | undefined =>
  actor.operationIds ? sql`${points.id} in ${inAllowedOperations(actor, 'point_id')}` : undefined

/** In the portal, the points one holds or held. */
export const pointScope = (actor: Actor): SQL | undefined =>
  and(
    eq(points.companyId, actor.companyId),
    actor.space === 'office'
      ? isAllowedPoint(actor)
      : sql`${points.id} in (select m.point_id from participations m
          where m.company_id = ${actor.companyId} and m.participant_id in ${participantIdsOfUser(actor)})`,
  )
